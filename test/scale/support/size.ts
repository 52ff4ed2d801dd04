/** How much of everything a run takes. */
export interface Size {
  readonly resources: number;
  /** How long resources come and go, in milliseconds. */
  readonly churnMs: number;
  /** Largest resident memory that is allowed, in MiB. */
  readonly peakMiB: number;
}

const { TRUNNION_SCALE: form, TRUNNION_SCALE_CHURN: minutes } = process.env;

const SHORT: Size = { resources: 1_000, churnMs: 30_000, peakMiB: 150 };
const LONG: Size = { resources: 10_000, churnMs: 3_600_000, peakMiB: 250 };

/** `TRUNNION_SCALE=long` takes hours, most of them to churn: `TRUNNION_SCALE_CHURN` says for how many minutes. */
const CHOSEN = form === 'long' ? LONG : SHORT;

export const SIZE: Size = { ...CHOSEN, ...(minutes !== undefined && { churnMs: Number(minutes) * 60_000 }) };
