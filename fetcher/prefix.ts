import { posix } from 'node:path';

/** An object of a bucket. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

/**
 * What of a bucket is the model: the objects below `prefix/`; where there are none, the one object of that very name.
 * (`llama-3` is not a prefix of `llama-3-instruct/config.json`.)
 *
 * @param list - lists all objects whose key begins so
 * @returns each object with its path in the model's folder
 */
export async function objectsAt<T extends StoredObject>(
  prefix: string,
  list: (start: string) => Promise<readonly T[]>,
): Promise<{ path: string; object: T }[]> {
  const start = prefix === '' ? '' : `${prefix}/`;
  const below = (await list(start)).filter(({ key }) => !key.endsWith('/'));
  if (below.length > 0 || prefix === '')
    return below.map((object) => ({ path: object.key.slice(start.length), object }));
  const single = (await list(prefix)).filter(({ key }) => key === prefix);
  return single.map((object) => ({ path: posix.basename(object.key), object }));
}
