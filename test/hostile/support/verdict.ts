import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { largest } from '../../../constructs/parts/values/extremes.ts';
import type { Measurement } from './probe.ts';

/** What is promised, whatever a tenant does. */
export const PROMISED = { healthzMs: 1_000, changeMs: 2_000, peakMiB: 512 } as const;

/** What was measured, and what is wrong with it. */
export class Verdict {
  readonly #found: Measurement[] = [];
  readonly wrongs = new Set<string>();

  measured(measurement: Measurement): void {
    this.#found.push(measurement);
    const { what, ms } = measurement;
    if (what === 'healthz' && ms > PROMISED.healthzMs)
      this.wrongs.add(`/healthz took more than ${PROMISED.healthzMs} ms`);
    if (what === 'change' && ms > PROMISED.changeMs) {
      this.wrongs.add(`a change in another namespace took more than ${PROMISED.changeMs} ms`);
    }
  }

  peak(mebibytes: number): void {
    if (mebibytes > PROMISED.peakMiB) this.wrongs.add(`the operator took more than ${PROMISED.peakMiB} MiB`);
  }

  /** How many there were of a measurement, the largest, and the one that 99 of 100 are below. */
  of(what: Measurement['what']): { readonly count: number; readonly most: number; readonly p99: number } {
    const sorted = this.#found
      .filter((each) => each.what === what)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b);
    return { count: sorted.length, most: largest(sorted, 0), p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
  }
}

interface Reported {
  readonly observedGeneration?: number;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
    readonly message?: string;
  }[];
}

/** What a terminal would take for an order, or would show in another order than it is written. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** What is wrong with what a resource's status says. */
export function wrongsOf({ kind, metadata, ...resource }: KubeObject): readonly string[] {
  const { observedGeneration, conditions = [] } = (resource['status'] ?? {}) as Reported;
  const title = `${kind} ${metadata.name}`;
  if (conditions.length === 0) return [`${title} has no condition`];
  const stale = observedGeneration !== undefined && observedGeneration !== metadata.generation;
  return [
    ...(stale ? [`${title} has a status of another generation`] : []),
    ...conditions.flatMap(({ type, status, reason = '', message = '' }) => [
      ...(status === 'False' && (reason === '' || message === '') ? [`${title}: ${type} is False without a why`] : []),
      ...(UNPRINTABLE.test(reason + message) ? [`${title}: ${type} has control characters`] : []),
    ]),
  ];
}
