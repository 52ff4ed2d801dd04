/** What a Status of the API server says beyond its message. */
export interface StatusDetails {
  readonly name?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
}

/** A Status of the API server, as far as it is read. */
export interface StatusBody {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}
