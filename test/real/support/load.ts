import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { LIGHT } from '../images/programs.ts';
import type { Report } from '../load/report.ts';
import { logOfJob, RESTRICTED_CONTAINER, RESTRICTED_POD } from './pods.ts';

/** A load that a pod puts on a server. */
export interface Load {
  readonly name: string;
  readonly namespace: string;
  /** Host and port of the server. */
  readonly host: string;
  /** Left out, it asks until its Job is deleted. */
  readonly seconds?: number;
  /** How many ask at the same time. @default 2 */
  readonly workers?: number;
  /** Name of the model. @default tiny */
  readonly model?: string;
  /** Of each answer. @default 10 */
  readonly tokens?: number;
  /** Of the pod that asks. */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default 60 */
  readonly timeout?: number;
}

/**
 * Starts a pod with workers that ask a server for chat, each answer streamed over a connection of its own.
 *
 * @returns what waits for its end, and tells what it came to
 */
export async function startLoad(client: KubeClient, load: Load): Promise<() => Promise<Report>> {
  const { name, namespace, host, seconds, labels = {}, timeout = 60, workers = 2, model = 'tiny', tokens = 10 } = load;
  const url = `--url=http://${host}/v1/chat/completions`;
  const command = ['load', url, `--model=${model}`, `--workers=${workers}`, `--tokens=${tokens}`, '--stream'];
  const container = {
    name: 'load',
    image: LIGHT.name,
    command: [...command, `--timeout=${timeout}`, ...(seconds === undefined ? [] : [`--seconds=${seconds}`])],
    securityContext: RESTRICTED_CONTAINER,
  };
  const spec = { restartPolicy: 'Never', securityContext: RESTRICTED_POD, containers: [container] };
  await client.create(TYPES.job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace },
    spec: { backoffLimit: 0, template: { metadata: { labels }, spec } },
  });
  return async () => JSON.parse(await logOfJob(client, namespace, name)) as Report;
}
