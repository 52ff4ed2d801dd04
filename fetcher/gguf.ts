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
