/** Formats of weights besides safetensors; a repository often has the same weights in several. */
const OTHER_FORMATS = /\.(?:bin|pth|pt|ckpt|h5|msgpack|ot|onnx|onnx_data|tflite|gguf|ggml|mlmodel|mlpackage|nemo)$/i;

/** Below this many bytes a file is no copy of the weights, whatever its ending (`training_args.bin`, tokenizers). */
const SMALL_BYTES = 10 * 1024 * 1024;

/** Of no use to a server. */
const NEVER = /(?:^|\/)\.git(?:attributes|ignore|keep)$/;

/**
 * What of a repository is fetched: all of it, but no second copy of the weights. Where a folder has safetensors,
 * large files of other formats in it and below it are left out (`pytorch_model-*.bin`, `original/*.pth`, `onnx/*`).
 * A repository without safetensors is fetched whole.
 */
export function wanted<File extends { readonly path: string; readonly bytes: number }>(files: readonly File[]): File[] {
  const folders = new Set(files.filter(({ path }) => path.endsWith('.safetensors')).map(({ path }) => folderOf(path)));
  const covered = (path: string): boolean => foldersAbove(path).some((folder) => folders.has(folder));
  return files.filter(
    ({ path, bytes }) => !NEVER.test(path) && !(bytes > SMALL_BYTES && OTHER_FORMATS.test(path) && covered(path)),
  );
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The folders that a file lies in, the innermost first; the root is the empty name. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.push(path.slice(0, at + 1));
  return [...folders, ''];
}
