import type { DistributedTrainingStatus } from '../../../constructs/index.ts';
import { distributedTraining } from '../../../operator/kinds/distributed-training/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { simulated } from '../../cluster/support/training.ts';
import type { Step } from '../../../testing/faults/scenario.ts';
import type { World } from '../../../testing/faults/world.ts';
import { apply, deleted, reports, scenarioOf } from './steps.ts';

const { type } = distributedTraining;

const spec = {
  framework: 'pytorch',
  image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
  command: ['torchrun', 'train.py'],
  replicas: 2,
  checkpoint: { uri: 's3://ml-checkpoints/scenario', graceSeconds: 1 },
  retry: { limit: 6, backoffSeconds: 1, maxBackoffSeconds: 1 },
  objective: { metric: 'loss', goal: 'minimize' },
  // So that the nodes on which attempts end are the same in every run.
  nodeSelector: { 'kubernetes.io/hostname': 'cpu-0' },
  podTemplate: { metadata: { annotations: simulated({ 'delay-seconds': '600' }) } },
};

const edited = { hyperparameters: { EPOCHS: '3' } };

/** Whether the training is in a phase, with this attempt and so many failures. */
const isIn = (
  phase: string,
  attempt: number,
  failures: number,
  holds: (status: DistributedTrainingStatus) => boolean = () => true,
) =>
  reports<DistributedTrainingStatus>(
    type,
    (status) => status.phase === phase && status.attempt === attempt && status.failures === failures && holds(status),
  );

/** Has the simulated kubelet do something with the ranks that `which` picks. */
const simulate =
  (annotations: Readonly<Record<string, string>>, which: (rank: string) => boolean) =>
  async ({ client, namespace }: World): Promise<void> => {
    const { items } = await client.list(TYPES.pod, { namespace });
    const ranks = items.filter(({ metadata: { labels } }) =>
      which(labels?.['batch.kubernetes.io/job-completion-index'] ?? ''),
    );
    const metadata = { annotations: simulated(annotations) };
    await Promise.all(ranks.map((pod) => client.patch(TYPES.pod, pod.metadata, { metadata })));
  };

const step = (name: string, act: Step['act'], reached: Step['reached'] & object): Step => ({ name, act, reached });

const failure = (name: string, attempt: number): Step =>
  step(
    name,
    simulate({ fail: '1' }, (rank) => rank === '1'),
    isIn('Running', attempt, attempt - 1),
  );

/** Create, a rank that fails twice, a change, suspend, resume, complete, delete. */
export const distributedTrainingScenario = scenarioOf(type, [
  step('create', apply(type, spec), isIn('Running', 1, 0)),
  failure('failure', 2),
  failure('second failure', 3),
  step('change', apply(type, { ...spec, ...edited }), isIn('Running', 4, 2)),
  step('suspend', apply(type, { ...spec, ...edited, suspend: true }), isIn('Suspended', 5, 2)),
  step('resume', apply(type, { ...spec, ...edited }), isIn('Running', 5, 2)),
  // The result is in the last words alone, of which another watch tells than of the Job's end.
  step(
    'complete',
    simulate({ message: 'loss=0.25', 'delay-seconds': '0' }, () => true),
    isIn('Completed', 5, 2, ({ objective }) => objective?.value === 0.25),
  ),
  deleted(type),
]);
