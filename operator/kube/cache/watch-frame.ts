import { plainText } from '../../../constructs/parts/values/index.ts';
import { isObject } from '../../../constructs/schema/json.ts';
import { ApiError } from '../client/index.ts';
import { FrameError } from './frames.ts';
import type { KubeObject } from '../client/index.ts';

/** A frame of a watch, read. */
export type WatchFrame =
  | { readonly type: 'put'; readonly object: KubeObject }
  | { readonly type: 'remove'; readonly object: KubeObject }
  /** `initialEnd`: all that existed when the stream began has been sent. */
  | { readonly type: 'bookmark'; readonly version: string; readonly initialEnd: boolean }
  | { readonly type: 'error'; readonly error: ApiError };

const INITIAL_END = 'k8s.io/initial-events-end';

/** @throws FrameError where it is none that we know: to continue would be to miss something */
export function readFrame(frame: unknown): WatchFrame {
  const { type, object } = isObject(frame) ? frame : {};
  if (type === 'ERROR') return { type: 'error', error: ApiError.fromStatus(object) };
  const metadata = isObject(object) && isObject(object['metadata']) ? object['metadata'] : {};
  if (type === 'BOOKMARK' && typeof metadata['resourceVersion'] === 'string') {
    const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {};
    return { type: 'bookmark', version: metadata['resourceVersion'], initialEnd: annotations[INITIAL_END] === 'true' };
  }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') {
    throw new FrameError(`a watch event of an unknown type: ${plainText(JSON.stringify(type) ?? 'none', { max: 64 })}`);
  }
  return { type: type === 'DELETED' ? 'remove' : 'put', object: readObject(object) };
}

/** @throws FrameError where `object` lacks what identifies an object */
export function readObject(object: unknown): KubeObject {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const complete =
    isObject(metadata) && ['name', 'uid', 'resourceVersion'].every((field) => typeof metadata[field] === 'string');
  if (!complete) throw new FrameError('an object without name, uid or resourceVersion');
  return object as KubeObject;
}
