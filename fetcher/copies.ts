import type { RemoteFile } from './source.ts';

/** Formats of weights besides safetensors; a repository often has the same weights in several. */
const OTHER_FORMATS = /\.(?:bin|pth|pt|ckpt|h5|msgpack|ot|onnx|onnx_data|tflite|gguf|ggml|mlmodel|mlpackage|nemo)$/i;

/** What a repository has beside `pytorch_model.bin` for other frameworks: `tf_model.h5`, `flax_model.msgpack`, `rust_model.ot`. */
const OTHER_FRAMEWORKS = /\.(?:h5|msgpack|ot|onnx|onnx_data|tflite|mlmodel)$/i;

/** Below this many bytes a file is no copy of the weights, whatever its ending (`training_args.bin`, tokenizers). */
const SMALL_BYTES = 10 * 1024 * 1024;

/** Folders with all of the model again, as its makers' own tools read it: Llama's, gpt-oss's. */
const COPIES = ['original/', 'metal/'];

/** Whether a file may hold weights, and not a few settings. */
export const isWeights = ({ path, bytes = Number.POSITIVE_INFINITY }: RemoteFile): boolean =>
  bytes > SMALL_BYTES && (path.endsWith('.safetensors') || OTHER_FORMATS.test(path));

/**
 * The files without second copies of the weights. Where a folder has safetensors, these are left out:
 *
 * - large files of other formats in it and below it (`pytorch_model-*.bin`, `onnx/*`)
 * - its folders `original` and `metal`, where gpt-oss has safetensors again
 * - `consolidated*.safetensors` beside others, where Mistral has all of the weights again
 *
 * Where it has `pytorch_model*.bin` instead, large files of other frameworks are. A folder with neither is taken whole.
 */
export function withoutCopies(files: readonly RemoteFile[]): readonly RemoteFile[] {
  const safe = folders(files, (name) => name.endsWith('.safetensors'));
  const others = folders(files, (name) => name.endsWith('.safetensors') && !isConsolidated(name));
  const torch = folders(files, (name) => /^pytorch_model.*\.bin$/.test(name));
  const isCopy = (file: RemoteFile): boolean => {
    const { path } = file;
    const folder = folderOf(path);
    const above = foldersAbove(path);
    return (
      above.some((each) => safe.has(each) && COPIES.some((name) => path.startsWith(each + name))) ||
      (isConsolidated(path.slice(folder.length)) && others.has(folder)) ||
      (isWeights(file) && OTHER_FORMATS.test(path) && above.some((each) => safe.has(each))) ||
      (isWeights(file) && OTHER_FRAMEWORKS.test(path) && above.some((each) => torch.has(each)))
    );
  };
  return files.filter((file) => !isCopy(file));
}

const isConsolidated = (name: string): boolean => name.startsWith('consolidated') && name.endsWith('.safetensors');

/** The folders with a file of such a name. */
const folders = (files: readonly RemoteFile[], isSuch: (name: string) => boolean): ReadonlySet<string> =>
  new Set(files.flatMap(({ path }) => (isSuch(path.slice(folderOf(path).length)) ? [folderOf(path)] : [])));

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The folders that a file lies in, the innermost first; the root is the empty name. */
function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) above.push(path.slice(0, at + 1));
  return [...above, ''];
}
