/** Something that is good until a time. */
export interface Expiring<T> {
  readonly value: T;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

/** Renewed so long before it runs out. */
const EARLY_MS = 5 * 60_000;

/** Gives what was asked for last while it is good, and asks again before it runs out; who asks at once waits for one answer. */
export function renewed<T>(ask: () => Promise<Expiring<T>>): () => Promise<T> {
  let held: { readonly answer: Promise<Expiring<T>>; expires: number } | undefined;
  return async () => {
    if (!held || Date.now() >= held.expires - EARLY_MS) {
      const fresh = { answer: ask(), expires: Number.POSITIVE_INFINITY };
      held = fresh;
      try {
        fresh.expires = (await fresh.answer).expires;
      } catch (error) {
        if (held === fresh) held = undefined;
        throw error;
      }
    }
    return (await held.answer).value;
  };
}
