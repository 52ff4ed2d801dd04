import { EXIT } from '../constructs/parts/weights/index.ts';
import type { Selection } from '../constructs/parts/weights/index.ts';
import { isWeights, withoutCopies } from './copies.ts';
import { FetchError } from './errors.ts';
import { matcher } from './glob.ts';
import { quoted } from './names.ts';
import type { RemoteFile } from './source.ts';
import { posix } from 'node:path';

/** A number of a part, as llama.cpp writes it when it splits a file: `-00001-of-00003.gguf` (src/llama.cpp, llama_split_path). */
const PART = /-([0-9]{5})(-of-([0-9]{5})\.gguf)$/i;

/** Whether a file is one of GGUF. */
export const isGguf = (path: string): boolean => /\.gguf$/i.test(path);

/** What all parts of one model have in common. A file that is not split is alone. */
const modelOf = (path: string): string => path.replace(PART, '$2');

/** The first file of each model in GGUF, which engines are given. What goes with a model that sees (`mmproj`) is none. */
export const ggufModels = (paths: readonly string[]): readonly string[] =>
  paths.filter(
    (path) => isGguf(path) && !/mmproj/i.test(posix.basename(path)) && Number(PART.exec(path)?.[1] ?? 1) === 1,
  );

/** The file and the other parts of the same model. */
export const partsOf = (paths: readonly string[], file: string): readonly string[] =>
  paths.filter((path) => path === file || (PART.test(file) && modelOf(path) === modelOf(file)));

/** How many parts the model of a file has, as its name says. */
export const partCount = (file: string): number => Number(PART.exec(file)?.[3] ?? 1);

/** Of no use to a server. */
const NEVER = /(?:^|\/)\.git(?:attributes|ignore|keep)$/;

/** So many names are told of those that there are. */
const NAMED = 20;

/**
 * What of a model is fetched: what `include` matches, or all but second copies of the weights; less what `exclude` matches.
 *
 * @param takesGguf - whether a model in GGUF may be found in the folder
 * @throws FetchError where that is nothing, where the file that the engine is to be given is not among it, where there are
 * several models in GGUF and nobody has said which, and where there is nothing but one, and the engine must be given its file
 */
export function select(
  all: readonly RemoteFile[],
  { include, exclude, file }: Selection,
  takesGguf = false,
): readonly RemoteFile[] {
  const files = all.filter(({ path }) => !NEVER.test(path));
  const paths = files.map(({ path }) => path);
  const parts = new Set(file === undefined ? [] : checkedParts(paths, file));
  const byDefault = () =>
    file === undefined ? withoutCopies(files) : files.filter((each) => !isGguf(each.path) && !isWeights(each));
  const chosen = include ? files.filter(isAmong(include)) : byDefault();
  const isChosen = new Set(chosen.map(({ path }) => path));
  const isExcluded = isAmong(exclude ?? []);
  const selected = files.filter((each) => (parts.has(each.path) || isChosen.has(each.path)) && !isExcluded(each));
  const kept = new Set(selected.map(({ path }) => path));
  const lost = [...parts].find((part) => !kept.has(part));
  if (lost !== undefined) throw refused(`model.files.exclude leaves out ${quoted(lost)}, which model.file needs`);
  if (selected.length === 0 && files.length > 0) {
    throw refused(`model.files selects none of the ${files.length} files that there are: ${listed(paths)}`);
  }
  const models = include || file !== undefined ? [] : ggufModels([...kept]);
  if (models.length > 1) {
    throw refused(
      `there are ${models.length} models in GGUF: name by model.file the one to serve, or by model.files.include all that are to be fetched; there are ${listed(models)}`,
    );
  }
  const [only] = models;
  if (only !== undefined && !takesGguf && !selected.some(isOtherModel)) {
    throw refused(
      `all weights are in GGUF, which this engine finds in no folder: set spec.model.file: ${quoted(only)} (vllm, sglang)`,
    );
  }
  return selected;
}

const isOtherModel = (file: RemoteFile): boolean =>
  file.path.endsWith('.safetensors') || (isWeights(file) && !isGguf(file.path));

function isAmong(patterns: readonly string[]): (file: RemoteFile) => boolean {
  const matchers = patterns.map(matcher);
  return ({ path }) => matchers.some((matches) => matches(path));
}

/** The parts of the model that the engine is given, all of them. */
function checkedParts(paths: readonly string[], file: string): readonly string[] {
  const parts = partsOf(paths, file);
  if (!parts.includes(file)) {
    const models = ggufModels(paths);
    const those = models.length > 0 ? `the files in GGUF are ${listed(models)}` : `the files are ${listed(paths)}`;
    throw refused(`there is no file ${quoted(file)}, which model.file names: ${those}`);
  }
  const count = partCount(file);
  if (parts.length === count) return parts;
  throw refused(`of ${quoted(file)}, which model.file names, there are ${parts.length} parts and not ${count}`);
}

const refused = (message: string): FetchError => new FetchError(message, EXIT.usage);

function listed(paths: readonly string[]): string {
  const names = paths.slice(0, NAMED).map(quoted).join(', ');
  return paths.length > NAMED ? `${names} and ${paths.length - NAMED} more` : names;
}
