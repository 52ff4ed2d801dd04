import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { setUp } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const NAME = 'chat-service';

/** One of ours of the same name as theirs. */
const serving = stringify({
  apiVersion: 'trunnion.dev/v1alpha1',
  kind: 'ModelServing',
  metadata: { name: NAME },
  spec: {
    model: { uri: 'oci://registry.example.com/ours:v1' },
    engine: { type: 'custom', image: 'registry.example.com/ours:v1', port: 8080 },
    resources: { gpu: 0 },
    replicas: 1,
  },
});

describe('of a resource of ours and one of an earlier operator that claim a name', () => {
  it.each([
    ['theirs', 'llm.yaml', 'serving.yaml', 'LLMDeployment', 'ModelServing'],
    ['ours', 'serving.yaml', 'llm.yaml', 'ModelServing', 'LLMDeployment'],
  ])('the older one runs, %s; the other says so, and takes its place once it is gone', async (...row) => {
    const [, first, second, older, newer] = row;
    const { terminal, namespace } = await setUp(admin);
    terminal.write('serving.yaml', serving);
    const owner = async () => {
      const { metadata } = await admin.get(TYPES.deployment, { namespace, name: NAME });
      return metadata.ownerReferences?.[0]?.kind;
    };
    const wait = (kind: string, state: string) =>
      terminal.run(`kubectl wait ${kind} ${NAME} --for=${state} --timeout=60s`);

    await terminal.run(`kubectl apply -f ${first}`);
    await wait(older, 'condition=Ready');
    // Times of creation are told in seconds.
    await sleep(1_000);
    await terminal.run(`kubectl apply -f ${second}`);
    await wait(newer, 'condition=Accepted=false');
    expect(await terminal.run(`kubectl describe ${newer} ${NAME}`)).toContain(
      `${older} ${NAME} of this namespace is older`,
    );
    expect(await owner()).toBe(older);
    expect(await terminal.run(`kubectl get ${older} ${NAME}`)).toContain('Running');

    await terminal.run(`kubectl delete ${older} ${NAME}`);
    await wait(newer, 'condition=Ready');
    expect(await owner()).toBe(newer);
  });
});
