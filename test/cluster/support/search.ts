import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { simulated, trainingSpec } from './training.ts';

const { checkpoint: _, ...plain } = trainingSpec;

/** A search over two parameters, whose trials run until they are told what came of them. */
export const searchSpec = {
  ...plain,
  replicas: 1,
  tuning: {
    maxTrials: 20,
    parallelTrials: 4,
    objective: { metric: 'val_accuracy', goal: 'maximize' },
    parameters: {
      learningRate: { type: 'float', min: 0.0001, max: 0.1, scale: 'log' },
      batchSize: { type: 'int', values: [16, 32, 64, 128] },
    },
  },
} satisfies DistributedTrainingSpecInput;

/** What comes of a trial: 0.95 at its best, with a rate of 0.003 and batches of 64. */
export function accuracyOf({ learningRate = '', batchSize = '' }: Readonly<Record<string, string>>): number {
  const distance = Math.log10(Number(learningRate)) - Math.log10(0.003);
  return 0.95 - 0.2 * distance ** 2 - 0.03 * Math.abs(Math.log2(Number(batchSize)) - 6);
}

interface TrialPod extends KubeObject {
  readonly spec: {
    readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value?: string }[] }[];
  };
  readonly status: { readonly phase: string };
}

/** The pods of trials that run, by the numbers of their trials. */
async function runningPods(admin: KubeClient, namespace: string): Promise<readonly TrialPod[]> {
  const { items } = await admin.list(TYPES.pod, { namespace });
  return (items as readonly TrialPod[])
    .filter(({ status }) => status.phase === 'Running')
    .toSorted((a, b) => trialOf(a) - trialOf(b));
}

const trialOf = ({ metadata }: TrialPod): number =>
  Number(metadata.labels?.['app.kubernetes.io/instance']?.split('-').at(-1));

const hasSpoken = ({ metadata }: TrialPod): boolean => metadata.annotations?.['sim.trunnion.dev/message'] !== undefined;

/** What a trial's program prints as its result, by its assignments and its number. */
type Result = (assignments: Readonly<Record<string, string>>, trial: number) => number | string;

/** Has the program of a trial be done, with what comes of its assignments as its last words. */
async function finish(admin: KubeClient, pod: TrialPod, result: Result): Promise<void> {
  const variables = pod.spec.containers[0]?.env ?? [];
  const assignments = Object.fromEntries(variables.map(({ name, value = '' }) => [name, value]));
  const message = `val_accuracy=${result(assignments, trialOf(pod))}`;
  const annotations = simulated({ message, 'delay-seconds': '0' });
  await admin.patch(TYPES.pod, pod.metadata, { metadata: { annotations } });
}

/** Has the programs of all trials that run be done. */
export async function finishTrials(admin: KubeClient, namespace: string, result: Result = accuracyOf): Promise<void> {
  const pods = await runningPods(admin, namespace);
  for (const pod of pods.filter((each) => !hasSpoken(each))) await finish(admin, pod, result);
}

/** Has the earliest be done, once as many run as should: so a search goes the same way whenever it is led. */
export async function finishFirst(admin: KubeClient, namespace: string, count: number): Promise<void> {
  const [first, ...others] = await runningPods(admin, namespace);
  if (first !== undefined && others.length === count - 1 && ![first, ...others].some(hasSpoken))
    await finish(admin, first, accuracyOf);
}
