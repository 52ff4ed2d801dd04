/** Milliseconds between two answers, while somebody looks. */
const PERIOD = 2_500;
const LONGEST = 30_000;

/** How long to wait before the next request, in milliseconds: longer after each failure in a row. */
export const delayOf = (failures: number): number =>
  failures === 0 ? PERIOD : Math.min(LONGEST, PERIOD * 2 ** Math.min(failures, 10));

/** Why there is no answer. */
export type Trouble =
  /** Nobody listens. */
  | { readonly kind: 'gone' }
  /** The server does not know this page. */
  | { readonly kind: 'stranger' }
  /** What the server says, with the status. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string };

/** What is said of it. */
export function wordsOf(trouble: Trouble): string {
  if (trouble.kind === 'gone')
    return 'trunnion ui has ended: start it again, and open the address that it prints. What you see is from before.';
  if (trouble.kind === 'stranger')
    return 'This page has no token of this server: open the address that trunnion ui has printed.';
  return trouble.message;
}
