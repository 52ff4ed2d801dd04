import type { Settings } from './settings.ts';

/** Which operator, and where. */
export interface Installation {
  /** The namespace of the operator itself, and of its Lease. */
  readonly namespace: string;
  /** The version of this package, which is the tag of its image. */
  readonly version: string;
  readonly settings: Settings;
}
