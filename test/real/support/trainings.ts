import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DistributedTrainingSpecInput } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { TrainingUnderTest } from '../../cluster/support/training.ts';
import { installOperator, loadOperatorImage } from './operator.ts';
import { startTestbed, type Testbed } from './testbed.ts';

export const NAMESPACE = 'trainings';

const PROGRAMS = join(import.meta.dirname, '../programs');

/** Where a pod finds the programs of `test/real/programs`. */
const CODE = '/code';

/** Starts a cluster with a real node, with the operator from its own image, and a namespace that enforces `restricted`. */
export async function startTrainingTestbed(images: readonly string[]): Promise<Testbed> {
  const testbed = await startTestbed();
  try {
    await loadOperatorImage(testbed);
    await installOperator(testbed);
    for (const image of images) await testbed.cluster.loadImage(image);
    await testbed.client.create(TYPES.namespace, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
    const names = readdirSync(PROGRAMS).filter((name) => name.endsWith('.py'));
    const data = Object.fromEntries(names.map((name) => [name, readFileSync(join(PROGRAMS, name), 'utf8')]));
    const metadata = { name: 'code', namespace: NAMESPACE };
    await testbed.client.create(TYPES.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    return testbed;
  } catch (error) {
    await testbed.stop();
    throw error;
  }
}

/** Gives the namespace a volume for checkpoints. */
export async function checkpointVolume(client: KubeClient): Promise<void> {
  await client.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'checkpoints', namespace: NAMESPACE },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
}

/** The command of torchrun, without the script that its package has. */
export const TORCHRUN: readonly string[] = ['python3', '-m', 'torch.distributed.run'];

/** What all trainings here share: a program of `test/real/programs`, and little of a small node. */
export const runs = (program: string, command: readonly string[] = ['python3']) =>
  ({
    command: [...command, `${CODE}/${program}`],
    // PyTorch takes some 300 MB for each process, and torchrun is one more.
    resources: { cpu: '100m', memory: '1Gi' },
    podTemplate: {
      spec: {
        containers: [{ name: 'trainer', volumeMounts: [{ name: 'code', mountPath: CODE }] }],
        volumes: [{ name: 'code', configMap: { name: 'code' } }],
      },
    },
  }) satisfies Partial<DistributedTrainingSpecInput>;

/** A training on a real node: its pods have logs, and their programs take their time. */
export class RealTraining extends TrainingUnderTest {
  constructor({ client }: Testbed, name: string) {
    super(client, NAMESPACE, name);
  }

  /** The log of a rank's program, of the present attempt. */
  async log(rank = 0, role = 'worker'): Promise<string> {
    const pod = (await this.pods(role))[rank];
    if (pod === undefined) throw new Error(`rank ${rank} of role ${role} of ${this.name} has no pod`);
    return this.admin.podLog(pod.metadata, { container: 'trainer' });
  }

  /** Waits until the first rank has printed some words. */
  prints(words: string, timeout = 120_000): Promise<string> {
    return this.printsAfter('', words, timeout);
  }

  /** Waits until it has printed some words after others. */
  async printsAfter(others: string, words: string, timeout = 120_000): Promise<string> {
    return eventually(
      async () => {
        const log = await this.log();
        const from = others === '' ? 0 : log.lastIndexOf(others);
        if (from === -1 || !log.includes(words, from)) throw new Error(`${this.name} has printed no ${words}:\n${log}`);
        return log;
      },
      { timeout },
    );
  }

  /** When the first container of the present attempt started. */
  async startedAt(): Promise<string | undefined> {
    const pods = (await this.pods()) as readonly EndedPod[];
    const states = pods.flatMap(({ status }) => status?.containerStatuses?.map(({ state }) => state) ?? []);
    return states.flatMap(({ terminated }) => terminated?.startedAt ?? []).toSorted()[0];
  }
}

interface EndedPod extends KubeObject {
  readonly status?: {
    readonly containerStatuses?: readonly {
      readonly state: { readonly terminated?: { readonly startedAt?: string } };
    }[];
  };
}

/** Seconds between two moments that a status tells. */
export const secondsBetween = (from?: string, to?: string): number =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;
