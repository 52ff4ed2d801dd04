import { AnswerTooLargeError } from '../client/index.ts';
import type { KubeClient, ListOptions, ObjectList, Body, ResourceType } from '../client/index.ts';
import type { Step } from './progress.ts';

/** Which objects, and of which server. */
export interface Selection {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly type: ResourceType;
  /** @default - all namespaces */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /**
   * Objects in a page of a list. A server may ignore it where a list names a version.
   *
   * @default 500
   */
  readonly pageSize?: number;
}

const PAGE_SIZE = 500;

/** At least; at most it is twice as much, as in client-go. */
const SERVER_TIMEOUT_SECONDS = 300;

/**
 * A page: the first one of a list not older than a version, or the one that `token` continues with. Where it would be too
 * large it has half as many objects, or half of that.
 */
export async function listPage(
  selection: Selection,
  notOlderThan: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<ObjectList> {
  const { client, type, pageSize = PAGE_SIZE } = selection;
  const place = token === undefined ? atLeast(notOlderThan) : { continue: token };
  try {
    return await client.list(type, { ...filters(selection), ...place, limit: pageSize, retry: false, signal });
  } catch (error) {
    if (!(error instanceof AnswerTooLargeError) || pageSize <= 1) throw error;
    return listPage({ ...selection, pageSize: Math.ceil(pageSize / 2) }, notOlderThan, token, signal);
  }
}

/** Opens a watch, which begins with all that exists or with what follows a version. */
export function openWatch(
  selection: Selection,
  step: Step & { do: 'stream' | 'watch' },
  signal: AbortSignal,
): Promise<Body> {
  const { client, type } = selection;
  const { namespace, ...query } = filters(selection);
  const from =
    step.do === 'watch'
      ? { resourceVersion: step.from }
      : {
          sendInitialEvents: true,
          resourceVersionMatch: 'NotOlderThan',
          resourceVersion: step.notOlderThan || undefined,
        };
  // It differs from watch to watch, so that they don't all end at once.
  const timeoutSeconds = Math.round(SERVER_TIMEOUT_SECONDS * (1 + Math.random()));
  return client.watch(type, namespace, { ...query, ...from, allowWatchBookmarks: true, timeoutSeconds }, signal);
}

function atLeast(version: string): Pick<ListOptions, 'resourceVersion' | 'resourceVersionMatch'> {
  return version === '' ? {} : { resourceVersion: version, resourceVersionMatch: 'NotOlderThan' };
}

function filters({ namespace, labelSelector, fieldSelector }: Selection) {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}
