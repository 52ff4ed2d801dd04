/** A request that is refused, with the status of HTTP that says why. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
