import type { Json } from '../../constructs/schema/json.ts';
import { OPTIONS, PATH } from './engine-options.ts';
import type { Meaning } from './engine-options.ts';
import type { Fields } from './fields.ts';
import { withModelPath } from './model-path.ts';
import { given, filled } from './pods.ts';
import { filledIn } from './templates.ts';
import type { Templates } from './templates.ts';

/** What the arguments of an engine say that has fields of its own here. */
export interface EngineArguments {
  /** Of `spec.engine`: `args`, `port` and `ipFamily`. */
  readonly engine: object;
  /** Of `spec`: `parallelism`. */
  readonly spec: object;
  /** Of `spec.model`. */
  readonly model: { readonly name?: string; readonly id?: string; readonly revision?: string };
}

/** One argument, and where it is written. */
export interface Argument {
  readonly text: string;
  readonly at: Fields;
}

/** What is known beside the arguments. */
export interface Known {
  /** The engine, or `huggingface` where arguments are those of KServe's own server. */
  readonly type: string;
  /** @default - nobody knows */
  readonly gpu?: number | undefined;
  /**
   * Whether `/mnt/models` is where the model lies, and not a folder of the user's own.
   *
   * @default true
   */
  readonly isFetched?: boolean;
  /**
   * What KServe fills into templates.
   *
   * @default - nobody fills them in: they are texts as others
   */
  readonly templates?: Templates | undefined;
  /**
   * Arguments before those of `args`, and behind them.
   *
   * @default - none
   */
  readonly around?: { readonly before?: readonly Argument[]; readonly after?: readonly Argument[] };
  /**
   * Whether an argument before all options names the model.
   *
   * @default false
   */
  readonly isNamedFirst?: boolean;
  /**
   * Whether something else says over how many GPUs the model is split.
   *
   * @default false
   */
  readonly isSplit?: boolean;
}

/** One option as it was written: in one argument, or in two. */
interface Option {
  readonly at: Fields;
  readonly name: string;
  readonly value: string | undefined;
  readonly written: readonly string[];
}

/** Reads the arguments of an engine: what fields of ours say is put there, the rest is carried over. */
export function engineArguments(fields: Fields, known: Known): EngineArguments {
  const { type, gpu, isFetched = true } = known;
  const options = OPTIONS[type] ?? {};
  const written = argumentsOf(fields, known);
  if (written === undefined) {
    reportSplit(fields, known);
    return { engine: {}, spec: {}, model: {} };
  }
  const found: Partial<Record<string, string>> = {};
  const args: string[] = [];
  for (const option of optionsOf(withoutModel(written, known, found), options)) {
    const meaning = options[plainName(option.name)];
    const kept = meaning === undefined ? option.written : readOption(option, meaning, found);
    for (const each of kept) args.push(isFetched ? withModelPath(each, () => option.at.note('', MOVED)) : each);
  }
  reportSplit(fields, known, found);
  const sizes = sizesOf(found, gpu);
  return {
    engine: {
      ...(args.length > 0 || written.length === 0 ? { args } : {}),
      ...(found['port'] !== undefined && { port: Number(found['port']) }),
      ...(found['ipFamily'] === 'IPv6' && { ipFamily: 'IPv6' }),
    },
    spec: filled('parallelism', sizes),
    model: {
      ...(given('name', found['name']) as { name?: string }),
      ...(given('id', found['id']) as { id?: string }),
      ...(given('revision', found['revision']) as { revision?: string }),
    },
  };
}

const MOVED = 'the model lies at $(MODEL_PATH) here';

/** Every engine's parser takes `-` and `_` in a name as the same. */
const plainName = (name: string): string => name.replaceAll(/(?<=\w)_/g, '-');

/** All arguments, with what their templates stand for; undefined where there is not even a list of them. */
function argumentsOf(fields: Fields, { templates, around = {} }: Known): readonly Argument[] | undefined {
  const { before = [], after = [] } = around;
  const items = fields.items('args');
  const own = fields.texts('args')?.map((text, index) => ({ text, at: items[index]! }));
  if (own === undefined && before.length + after.length === 0) return undefined;
  const all = [...before, ...(own ?? []), ...after];
  if (templates === undefined) return all;
  return all.map(({ text, at }) => ({ text: filledIn(text, templates, (message) => at.note('', message)), at }));
}

/** `vllm serve` takes its model as its first argument, which model.uri says here. */
function withoutModel(
  all: readonly Argument[],
  { isFetched = true, isNamedFirst = false }: Known,
  found: Partial<Record<string, string>>,
): readonly Argument[] {
  const [first, ...rest] = all;
  if (!isNamedFirst || first === undefined || first.text.startsWith('-')) return all;
  if (isFetched && PATH.unless.includes(first.text)) return rest;
  // A folder of the user's own holds what no field names.
  if (first.text.startsWith('/') || first.text.includes('$')) return all;
  found['id'] = first.text;
  return rest;
}

function optionsOf(all: readonly Argument[], options: Readonly<Record<string, Meaning>>): readonly Option[] {
  const found: Option[] = [];
  const isValue = (argument: Argument | undefined): boolean => argument?.text.startsWith('-') === false;
  for (let index = 0; index < all.length; index += 1) {
    const { text, at } = all[index]!;
    const [, name = text, value] = /^(-[^=\s]+)=(.*)$/s.exec(text) ?? [];
    const next = all[index + 1];
    const isPair = value === undefined && Object.hasOwn(options, plainName(name)) && isValue(next);
    found.push({ at, name, value: isPair ? next!.text : value, written: isPair ? [text, next!.text] : [text] });
    if (isPair) index += 1;
    // vLLM takes several names, and answers with the first.
    if (!isPair || plainName(name) !== '--served-model-name') continue;
    for (; isValue(all[index + 1]); index += 1)
      all[index + 1]!.at.note('', 'is left out: model.name is the first name');
  }
  return found;
}

/** A model of a hub: the whole of a value, or a field of it that is written as JSON. */
const HUB_MODEL = /(?:^|"model"\s*:\s*")([\w.-]+\/[\w.-]+)(?:"|$)/;

/** What is left of an option as arguments; what it says otherwise is put where it belongs, or is told. */
function readOption(option: Option, meaning: Meaning, found: Partial<Record<string, string>>): readonly string[] {
  const { at, value, written } = option;
  if (typeof meaning === 'string') {
    if (value === undefined || (isCount(meaning) && !/^[1-9]\d{0,4}$/.test(value))) {
      at.note('', `is left out: ${FIELDS[meaning]} says it`);
      return [];
    }
    // The last of several counts, as every parser has it.
    if (found[meaning] !== undefined) at.note('', `is said twice: ${FIELDS[meaning]} is the last`);
    found[meaning] = value;
    return [];
  }
  if ('families' in meaning) {
    const family = meaning.families[value ?? ''];
    if (family === undefined) at.note('', 'is left out: the engine listens on all addresses of engine.ipFamily');
    else found['ipFamily'] = family;
    return [];
  }
  if ('as' in meaning) {
    at.note('', `is ${meaning.as} of the engine`);
    return [value === undefined ? meaning.as : `${meaning.as}=${value}`];
  }
  if ('hub' in meaning) {
    const [, model] = HUB_MODEL.exec(value ?? '') ?? [];
    if (model !== undefined) at.note('', `${meaning.hub}, and ${model} is none`);
    return written;
  }
  if ('reported' in meaning) at.note('', `is left out: it ${meaning.reported}`);
  else if (!meaning.unless.includes(value ?? '')) at.note('', `is left out: ${meaning.follows}`);
  return written.slice(written.length);
}

const isCount = (meaning: string): boolean => ['port', 'tensor', 'pipeline'].includes(meaning);

const FIELDS: Readonly<Record<string, string>> = {
  name: 'model.name',
  port: 'engine.port',
  tensor: 'parallelism.tensor',
  pipeline: 'parallelism.pipeline',
  id: 'model.uri',
  revision: 'model.uri',
};

/** vLLM takes one GPU where nobody says how many; ours is told all that there are. */
function reportSplit(
  fields: Fields,
  { type, gpu = 0, isSplit = false }: Known,
  found: Partial<Record<string, string>> = {},
) {
  const isGiven = isSplit || found['tensor'] !== undefined || found['pipeline'] !== undefined;
  if (type !== 'vllm' || gpu < 2 || isGiven) return;
  fields.report(
    'spec.parallelism',
    `is left out: the model is split over all ${gpu} GPUs, where it was on one of them`,
  );
}

/** How the model is split; nothing where it is split over all GPUs, which is so without it. */
function sizesOf(found: Partial<Record<string, string>>, gpu: number | undefined): Readonly<Record<string, Json>> {
  const tensor = found['tensor'] === undefined ? undefined : Number(found['tensor']);
  const pipeline = found['pipeline'] === undefined ? undefined : Number(found['pipeline']);
  if ((tensor ?? 1) === (gpu ?? 0) && (pipeline ?? 1) === 1) return {};
  if ((tensor ?? 1) === 1 && (pipeline ?? 1) === 1 && gpu === 0) return {};
  return { ...(tensor !== undefined && { tensor }), ...(pipeline !== undefined && { pipeline }) };
}
