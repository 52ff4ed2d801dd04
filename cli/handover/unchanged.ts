import { ApiError } from '../../operator/kube/index.ts';

/** How often a change is looked at again that others were faster than: controllers write a status every now and then. */
const TRIES = 10;

/** Does a change that is bound to an object as it was seen; where others have changed it since, it is seen again. */
export async function untilUnchanged<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || tries === TRIES) throw error;
    }
  }
}
