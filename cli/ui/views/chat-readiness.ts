import type { CommonStatus, Resource } from '../../../operator/engine/api/index.ts';
import { whyNoPod } from '../../chat/pods.ts';
import { isAskable, targetOf } from '../../chat/target.ts';
import { CliError } from '../../errors.ts';
import type { LiveResource } from '../../live.ts';
import type { Detail } from '../api.ts';

/** Phases whose pods take no new requests, though they may be ready. */
const LEAVING: ReadonlySet<string> = new Set(['Draining', 'Retired', 'Stopped']);

/** Whether a resource can be asked, and why not; undefined where it is of a kind that answers nothing. */
export function chatOf({ kind, resource }: LiveResource): Detail['chat'] {
  if (!isAskable(kind)) return undefined;
  try {
    const target = targetOf({ kind, resource });
    return isServing(resource) ? { ready: true } : { ready: false, reason: whyNoPod(target, resource) };
  } catch (error) {
    // Its engine has another protocol.
    if (!(error instanceof CliError)) throw error;
    return { ready: false, reason: error.message };
  }
}

function isServing({ metadata, status }: Resource): boolean {
  const { phase = '', readyReplicas = 0 }: CommonStatus & { readonly readyReplicas?: number } = status ?? {};
  return readyReplicas > 0 && !LEAVING.has(phase) && metadata.deletionTimestamp === undefined;
}
