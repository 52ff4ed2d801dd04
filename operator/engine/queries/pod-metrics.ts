import type { Dispatcher } from 'undici';
import { StreamedAnswer, yieldToEventLoop } from '../../kube/index.ts';
import { slicesOf } from './lines.ts';
import type { Count } from './lookups/limits.ts';
import { SampleSums } from './prometheus.ts';

/** For all of a request to a pod. It is near, and what it tells is worth less the older it is. */
export const POD_TIMEOUT_MS = 3_000;

/** More than any engine's metrics, which take some 100 KiB; a pod is not trusted to end its answer. */
export const LARGEST_METRICS_BYTES = 2 ** 20;

/**
 * The sums of some metrics, asked of a pod. They are read as they come; whatever else the pod sends is not waited for, and
 * the connection is closed.
 *
 * @throws where it answers otherwise than with 200, with what can't be read, with more than LARGEST_METRICS_BYTES, or not
 *   in time
 */
export async function metricsFrom(
  agent: Dispatcher,
  url: string,
  metrics: readonly string[],
  { signal, count }: { readonly signal: AbortSignal; readonly count: Count },
): Promise<Readonly<Record<string, number>>> {
  const { origin, pathname, search } = new URL(url);
  const answer = new StreamedAnswer();
  answer.endWith(AbortSignal.timeout(POD_TIMEOUT_MS));
  answer.endWith(signal);
  const { status, body } = await answer.of(agent, { origin, path: pathname + search, method: 'GET' });
  if (status !== 200) {
    const refused = new Error(`${url} answered ${status}`);
    answer.breakOff(refused);
    throw refused;
  }
  const sums = new SampleSums(metrics);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    count(chunk.length);
    if (bytes > LARGEST_METRICS_BYTES) throw new Error(`${url} answered more than ${LARGEST_METRICS_BYTES} bytes`);
    for (const slice of slicesOf(chunk)) {
      sums.push(slice);
      await yieldToEventLoop();
    }
  }
  return sums.end();
}
