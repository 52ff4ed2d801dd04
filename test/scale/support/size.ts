/** How much of everything a run takes. */
export interface Size {
  readonly resources: number;
  /** How long resources come and go, in milliseconds. */
  readonly churnMs: number;
  /** Largest resident memory that is allowed, in MiB. */
  readonly peakMiB: number;
  /**
   * Whether the API server is taken for back once it says that it is ready; otherwise once it lets the resources be watched,
   * for which it has to read them all. With 10,000 that takes longer than the operator has.
   */
  readonly isReadAtOnce: boolean;
}

const { TRUNNION_SCALE: form, TRUNNION_SCALE_CHURN: minutes } = process.env;

const SHORT: Size = { resources: 1_000, churnMs: 30_000, peakMiB: 150, isReadAtOnce: true };
const LONG: Size = { resources: 10_000, churnMs: 3_600_000, peakMiB: 250, isReadAtOnce: false };

/** `TRUNNION_SCALE=long` takes hours, most of them to churn: `TRUNNION_SCALE_CHURN` says for how many minutes. */
const CHOSEN = form === 'long' ? LONG : SHORT;

export const SIZE: Size = { ...CHOSEN, ...(minutes !== undefined && { churnMs: Number(minutes) * 60_000 }) };
