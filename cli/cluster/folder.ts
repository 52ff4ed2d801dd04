import { join } from 'node:path';
import { cacheFolder } from '../../cluster/binaries.ts';

/** Where a cluster's data are. */
export interface Folder {
  readonly dir: string;
}

/** Where they are, unless somebody says otherwise. */
export const DEFAULT_FOLDER = join(cacheFolder(), 'cluster');

/** The option that says where they are, as a shell takes it; empty where it need not be said. */
export const dirOption = (dir: string): string => {
  if (dir === DEFAULT_FOLDER) return '';
  return ` --dir ${/^[\w./-]+$/.test(dir) ? dir : `'${dir.replaceAll("'", String.raw`'\''`)}'`}`;
};
