import { beforeAll, describe, expect, it } from 'vitest';
import { crds } from '../../stacks/operator/crds.ts';
import { apply, established } from '../../cli/kube/apply.ts';
import { allKinds } from '../../compat/kinds/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { installTrunnion, startOperator } from '../cluster/support/operator.ts';
import { setUp, under } from './support/testbed.ts';
import { Terminal } from './support/terminal.ts';

const admin = adminClient();
const name = 'llmdeployments.llm.example.com';
const crd = crds(true).find(({ metadata }) => metadata.name === name);

beforeAll(() => installTrunnion(admin, { compat: true }));

/** Takes the CRD away, while an operator runs: resources are drained before they go. */
const removed = async (): Promise<void> => {
  await admin.delete(TYPES.customResourceDefinition, { name });
  await eventually(async () => expect(await admin.find(TYPES.customResourceDefinition, { name })).toBeUndefined(), {
    timeout: 60_000,
  });
};

const added = async (): Promise<void> => {
  await apply(admin, crd!, 'default');
  await established(admin, [crd!]);
};

describe('a kind of an earlier operator', () => {
  it('is taken when its CRD comes and let go when it goes, while the operator runs', async () => {
    const { terminal, namespace } = await setUp(admin);
    await removed();
    const chat = under(admin, 'LLMDeployment', namespace, 'chat-service');
    await added();
    await terminal.run('kubectl apply -f llm.yaml');
    await chat.shows((status) => expect(status).toMatchObject({ phase: 'Running' }));

    // With its CRD go its resources, drained, and what they are made of.
    await removed();
    await eventually(async () => expect(await chat.child(TYPES.deployment)).toBeUndefined());
    await added();
    await terminal.run('kubectl apply -f llm.yaml');
    await chat.shows((status) => expect(status).toMatchObject({ phase: 'Running' }));
  });

  it('is not run where there is no right to it, and keeps nothing else from being run', async () => {
    await installTrunnion(admin);
    const namespace = await testNamespace(admin);
    await startOperator(admin, undefined, { kinds: allKinds });
    const terminal = new Terminal(namespace);
    await terminal.run('kubectl apply -f llm.yaml');
    expect(await under(admin, 'LLMDeployment', namespace, 'chat-service').child(TYPES.deployment)).toBeUndefined();
    await installTrunnion(admin, { compat: true });
  });
});
