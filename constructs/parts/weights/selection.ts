/** Which files of a model are fetched. */
export interface Selection {
  /**
   * Patterns of `*` and `?`; a file is fetched where one matches its path.
   *
   * @default - all files but second copies of the weights
   */
  readonly include?: readonly string[];
  /**
   * Patterns of files that are left out of these.
   *
   * @default - none
   */
  readonly exclude?: readonly string[];
  /**
   * The path of the GGUF file that the engine is given. It is fetched with the other parts of the same model, and no other weights
   * are.
   *
   * @default - the engine is given the folder
   */
  readonly file?: string;
}

/** What of a spec's model says which files are fetched. */
export interface SelectedModel {
  readonly files?: Pick<Selection, 'include' | 'exclude'> | undefined;
  readonly file?: string | undefined;
}

/** The selection of a model; undefined where its spec leaves it to the defaults. */
export function selectionOf({ files, file }: SelectedModel): Selection | undefined {
  if (files === undefined && file === undefined) return undefined;
  return {
    ...(files?.include && { include: files.include }),
    ...(files?.exclude && { exclude: files.exclude }),
    ...(file !== undefined && { file }),
  };
}
