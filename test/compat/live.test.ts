import { beforeAll, describe, expect, it } from 'vitest';
import { move } from '../../cli/convert/live/move.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { translations } from '../../compat/kinds/index.ts';
import { adminClient } from '../cluster/support/client.ts';
import { COLLECTED, eventually } from '../cluster/support/eventually.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { ours } from '../cluster/support/resource.ts';
import { simulated } from '../cluster/support/training.ts';
import { held } from '../cluster/support/held.ts';
import { namedNamespace, setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const translationOf = (kind: string) => translations.find(({ theirs }) => theirs.kind === kind)!;

/** All pods of a workload, with what would tell that one was started again. */
async function podsOf(namespace: string, name: string): Promise<readonly string[]> {
  const labelSelector = `app.kubernetes.io/instance=${name}`;
  const { items } = await admin.list(TYPES.pod, { namespace, labelSelector });
  return items
    .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] !== 'fetcher')
    .map(({ metadata }) => `${metadata.name} ${metadata.uid}`)
    .toSorted();
}

/** What is made for a resource: each object by kind, name and UID, with its owner. */
async function childrenOf(namespace: string, name: string): Promise<Readonly<Record<string, string | undefined>>> {
  const all = [TYPES.deployment, TYPES.job, TYPES.service, TYPES.configMap, TYPES.networkPolicy, TYPES.serviceAccount];
  const found = await Promise.all(
    all.map(async (type) => {
      const { items } = await admin.list(type, { namespace, labelSelector: `app.kubernetes.io/instance=${name}` });
      return items.map(
        ({ metadata }) =>
          [`${type.kind}/${metadata.name}/${metadata.uid}`, metadata.ownerReferences?.[0]?.kind] as const,
      );
    }),
  );
  return Object.fromEntries(found.flat());
}

type Seen = KubeObject & { readonly status?: { readonly phase?: string; readonly observedGeneration?: number } };

const runs = async (kind: string, plural: string, namespace: string, name: string): Promise<void> => {
  await eventually(
    async () => {
      const seen: Seen = await admin.get(ours(kind, plural), { namespace, name });
      expect(seen.status).toMatchObject({ phase: 'Running', observedGeneration: seen.metadata.generation });
      expect(JSON.stringify(seen.status)).not.toContain('Paused');
    },
    { timeout: 60_000 },
  );
};

describe('a resource that the operator runs under the kind of an earlier operator', () => {
  it.each([
    ['modeldeployment.yaml', 'ModelDeployment', 'llama-3-8b', undefined, 'ModelServing', 'modelservings'],
    ['llm.yaml', 'LLMDeployment', 'chat-service', undefined, 'ModelServing', 'modelservings'],
    ['aiagent.yaml', 'AIAgent', 'support-agent', 'ai-agents', 'AgentService', 'agentservices'],
  ] as const)(
    'of %s, %s, moves to ours without a restart, with all that it has',
    async (file, kind, name, where, to, plural) => {
      if (where !== undefined) await namedNamespace(admin, where);
      const { terminal, namespace: own } = await setUp(admin);
      const namespace = where ?? own;
      await terminal.run(`kubectl apply -f ${file}`);
      const resource = under(admin, kind, namespace, name);
      await resource.shows(({ phase }) => expect(phase).toBe('Running'));
      const [pods, children] = [await podsOf(namespace, name), await childrenOf(namespace, name)];

      await move(admin, { translation: translationOf(kind), namespace, name }, () => undefined);
      expect(await admin.find(resource.type, { namespace, name })).toBeUndefined();
      await runs(to, plural, namespace, name);
      expect(await podsOf(namespace, name)).toEqual(pods);
      const after = await childrenOf(namespace, name);
      expect(Object.keys(after).toSorted()).toEqual(Object.keys(children).toSorted());
      expect(new Set(Object.values(after))).toEqual(new Set([to]));

      await admin.delete(ours(to, plural), { namespace, name });
      await eventually(async () => expect(await childrenOf(namespace, name)).toEqual({}), COLLECTED);
    },
  );

  it('trains on in the attempt that it is in', async () => {
    const name = 'pytorch-distributed-training';
    const { terminal, namespace } = await setUp(admin);
    await held(
      admin,
      { namespace, labelSelector: `job=${name},role`, pods: 4 },
      simulated({ 'delay-seconds': '600' }),
      () => terminal.run(`sed '/^---/,$d; s/ml-workloads/${namespace}/' mltrainingjob.yaml | kubectl apply -f -`),
    );
    const job = under(admin, 'MLTrainingJob', namespace, name);
    await job.shows(({ phase }) => expect(phase).toBe('Running'));
    const pods = await podsOf(namespace, name);
    const { status } = (await job.get()) as KubeObject & { readonly status: { readonly startTime: string } };

    await move(admin, { translation: translationOf('MLTrainingJob'), namespace, name }, () => undefined);
    await runs('DistributedTraining', 'distributedtrainings', namespace, name);
    expect(await podsOf(namespace, name)).toEqual(pods);
    const training = await admin.get(ours('DistributedTraining', 'distributedtrainings'), { namespace, name });
    expect(training).toMatchObject({ status: { attempt: 1, startTime: status.startTime } });
    expect(
      (await terminal.run(`kubectl get pods -n ${namespace} -l role=worker,job=${name} -o name`)).split('\n'),
    ).toHaveLength(4);
  });

  it('is moved the rest of the way where the move was broken off after any of its writes', async () => {
    const { terminal, namespace } = await setUp(admin);
    const name = 'chat-service';
    await terminal.run('kubectl apply -f llm.yaml');
    await under(admin, 'LLMDeployment', namespace, name).shows(({ phase }) => expect(phase).toBe('Running'));
    const pods = await podsOf(namespace, name);
    const what = { translation: translationOf('LLMDeployment'), namespace, name };
    let writes = 1;
    for (; ; writes += 1) {
      try {
        await move(breakingOff(admin, writes), what, () => undefined);
        break;
      } catch (error) {
        expect(String(error)).toContain('broken off');
      }
    }
    expect(writes).toBeGreaterThan(2);
    await runs('ModelServing', 'modelservings', namespace, name);
    expect(await podsOf(namespace, name)).toEqual(pods);
  });
});

/** A client whose process ends after so many writes. */
function breakingOff(client: KubeClient, writes: number): KubeClient {
  let left = writes;
  const counted = new Set(['patch', 'create', 'apply', 'delete']);
  return new Proxy(client, {
    get: (target, property: keyof KubeClient) => {
      const method = target[property] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (counted.has(property) && left-- <= 0) throw new Error('broken off');
        return method.apply(target, args);
      };
    },
  });
}
