import {
  bitsOfName,
  guessedShape,
  parametersIn,
  parametersOfName,
  shapeOf,
  type KnownSizes,
  type ModelShape,
} from '../../constructs/parts/sizing/index.ts';
import { parseModelUri } from '../../constructs/parts/weights/index.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { askHub } from './hub.ts';
import { readLocal } from './local.ts';

/** A model whose shape is known, or guessed. */
export interface KnownModel {
  readonly shape: ModelShape;
  /** Where its shape is from, as the rest of a sentence. */
  readonly from: string;
  /** Whether its fetch needs a token. */
  readonly isGated: boolean;
}

interface Sources {
  /** The model's URI, as written. */
  readonly uri: string;
  readonly parameters?: string | undefined;
  readonly config?: string | undefined;
}

/**
 * The shape of a model: of a config that is given, else of the one that the Hub has, else of a count of parameters, else of
 * its name.
 *
 * @throws UsageError where nothing tells how large it is
 */
export async function learnModel(io: Io, { uri, parameters, config }: Sources): Promise<KnownModel> {
  const given = parameters === undefined ? undefined : parametersIn(parameters);
  if (parameters !== undefined && given === undefined) {
    throw new UsageError(`--parameters must be a count such as 7B, 0.5B or 8x7B, not ${JSON.stringify(parameters)}`);
  }
  if (config !== undefined) {
    const local = await readLocal(config);
    return known(shapeOfConfig(local.config, { parameters: given, ...local.sizes }, local.from), `by ${local.from}`);
  }
  const parsed = parseModelUri(uri);
  if (parsed.scheme === 'hf' && given === undefined) {
    const answer = await askHub(parsed);
    if (!('problem' in answer)) {
      const shape = shapeOfConfig(answer.config, answer, `config.json of ${answer.from}`);
      return { shape, from: `by its files and config.json at ${answer.from}`, isGated: answer.isGated };
    }
    io.log(answer.problem);
  }
  return fromCount(uri, given);
}

const known = (shape: ModelShape, from: string): KnownModel => ({ shape, from, isGated: false });

function fromCount(uri: string, given: number | undefined): KnownModel {
  const bits = bitsOfName(uri);
  if (given !== undefined) return known(guessedShape(given, bits), 'guessed from --parameters');
  const name = uri.replace(/@[^@/]*$/, '').replace(/\/$/, '');
  const found = parametersOfName(name.slice(name.lastIndexOf('/') + 1));
  if (found === undefined) {
    throw new UsageError(
      `nothing tells how large ${uri} is: give --config with its config.json, or --parameters, for instance 7B`,
    );
  }
  return known(guessedShape(found.parameters, bits), `guessed from "${found.word}" in its name`);
}

function shapeOfConfig(config: unknown, sizes: KnownSizes, from: string): ModelShape {
  const shape = shapeOf(config, sizes);
  if (!('lacks' in shape)) return shape;
  throw new UsageError(`${from} lacks ${shape.lacks.join(', ')}: give --parameters, for instance 7B, without --config`);
}
