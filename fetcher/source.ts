import type { Checksum } from './checksum.ts';
import type { HttpResponse } from './http.ts';

/** A file of the model, as its host tells of it. */
export interface RemoteFile {
  /** Relative to the model's folder. */
  readonly path: string;
  /** Undefined where the host does not say. */
  readonly bytes: number | undefined;
}

/** All that there is to fetch. */
export interface Listing {
  /** What the URI stands for now: a commit, or a digest of names, sizes and versions. */
  readonly revision: string;
  readonly files: readonly RemoteFile[];
}

/** A host of models. */
export interface Source {
  list(): Promise<Listing>;
  /** What the host says of the file's content; undefined where it says nothing that can be checked. */
  checksum(file: RemoteFile): Promise<Checksum | undefined>;
  /** The file from an offset on: status 206, or 200 and all of it where the host can't. */
  open(file: RemoteFile, offset: number): Promise<HttpResponse>;
}

/** The header that asks for a file from an offset on. */
export const rangeFrom = (offset: number): Record<string, string> => (offset > 0 ? { range: `bytes=${offset}-` } : {});

/** The path of a file or an object, as a URL has it. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
