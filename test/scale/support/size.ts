/** How much of everything a run takes. */
export interface Size {
  readonly resources: number;
  /** How long resources come and go, in milliseconds. */
  readonly churnMs: number;
  /** Largest resident memory that is allowed, in MiB. */
  readonly peakMiB: number;
}

const SHORT: Size = { resources: 1_000, churnMs: 30_000, peakMiB: 150 };
const LONG: Size = { resources: 10_000, churnMs: 3_600_000, peakMiB: 250 };

/** `TRUNNION_SCALE=long` takes hours; the short form is part of `npm test`. */
export const SIZE = process.env['TRUNNION_SCALE'] === 'long' ? LONG : SHORT;
