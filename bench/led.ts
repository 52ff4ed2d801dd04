import type { Usage } from './process.ts';

/** An operator that the bench leads. */
export interface Led {
  /** Its user, as the audit log has it. */
  readonly user: string;
  /** Starts it, for one namespace. */
  start(namespace: string): Promise<Running>;
}

/** One that runs, until it is disposed of. */
export interface Running extends AsyncDisposable {
  /** Waits until its caches are complete. */
  ready(): Promise<void>;
  usage(): Usage;
}
