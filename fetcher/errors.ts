/** How a failure may be answered. */
export interface FetchErrorOptions extends ErrorOptions {
  /**
   * Whether the same request may be made again at once, by this process.
   *
   * @default false
   */
  readonly retry?: boolean;
  /** How long the host asks to wait before that, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** A failure told in one sentence that says what to do. */
export class FetchError extends Error {
  /** One of EXIT, or 1 where a later run may do better. */
  readonly exitCode: number;
  readonly retry: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, exitCode: number, options: FetchErrorOptions = {}) {
    super(message, options);
    this.name = 'FetchError';
    this.exitCode = exitCode;
    this.retry = options.retry ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A failure that may pass by itself: this process tries again, and after it the Job. */
export const passing = (message: string, options: FetchErrorOptions = {}): FetchError =>
  new FetchError(message, 1, { ...options, retry: true });

/** The words of an error and of what caused it: fetch() says only "fetch failed", its cause says why. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const words = code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
  return error.cause === undefined ? words : `${words}: ${wordsOf(error.cause)}`;
}

/** The code of a system error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
