/** The campaign can't begin, or tells nothing: its message says why, and what to do. */
export class FaultsError extends Error {
  override readonly name = 'FaultsError';
}
