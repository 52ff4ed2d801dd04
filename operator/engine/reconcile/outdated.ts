import type { ApiError, EventNote, ResourceType } from '../../kube/index.ts';
import type { Identity } from '../api/index.ts';

/** Longest wait for another try, in milliseconds: anyone who applies the CRD of this release looks whether that helped. */
export const OUTDATED_RETRY_MS = 30_000;

/** A CRD is older than this operator, so that no status can be written. */
export class OutdatedCrdError extends Error {
  override readonly name = 'OutdatedCrdError';

  constructor({ plural, group }: ResourceType, cause: ApiError, { commands }: Pick<Identity, 'commands'>) {
    const what = `The CRD ${plural}.${group} is older than this operator, so no status can be written.`;
    const how = commands === undefined ? '' : ` with ${commands.install}`;
    super(`${what} Apply the CRDs of this release${how}. The API server says: ${cause.message}`, { cause });
  }

  /** What its users find on the resource. */
  get note(): EventNote {
    return { type: 'Warning', reason: 'OutdatedCRD', action: 'Reconcile', message: this.message };
  }
}
