import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject, ResourceType } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { mark, mutationsSince } from '../cluster/support/audit.ts';
import { adminClient, kubectl } from '../cluster/support/client.ts';
import { edit, move, platformProject } from './support/project.ts';
import { StackUnderTest } from './support/stack.ts';
import { unknownPlaces } from './support/values.ts';

/** The namespace that the configuration of `dev` names. */
const namespace = 'ai-dev';
const token = `hf_${randomBytes(12).toString('hex')}`;
const admin = adminClient();
let stack: StackUnderTest;

beforeAll(async () => {
  stack = await StackUnderTest.of(platformProject(), 'dev');
  await stack.set('huggingFaceToken', token, { secret: true });
});

afterAll(async () => {
  stack.remove();
  await admin.close();
});

/** The pods of a workload, by what they are to it and how they are. */
async function podsOf(instance: string): Promise<readonly string[]> {
  const labelSelector = `app.kubernetes.io/instance=${instance}`;
  const { items } = await admin.list(TYPES.pod, { namespace, labelSelector });
  return items.map((pod) => `${pod.metadata.labels?.['app.kubernetes.io/component']} ${phaseOf(pod)}`).toSorted();
}

const phaseOf = ({ status }: KubeObject): string =>
  (status as { readonly phase?: string } | undefined)?.phase ?? 'Unknown';

const namesOf = async (type: ResourceType): Promise<readonly string[]> =>
  (await admin.list(type, { namespace })).items.map(({ metadata }) => metadata.name);

/** Each object of the stack, as it is on the server: its version changes with everything that is written. */
async function versions(): Promise<Readonly<Record<string, string>>> {
  const kinds = 'deployments,services,configmaps,networkpolicies,persistentvolumeclaims,serviceaccounts,jobs,secrets';
  const { items } = JSON.parse(await kubectl('get', kinds, '-n', namespace, '-o', 'json')) as {
    readonly items: readonly KubeObject[];
  };
  return Object.fromEntries(
    items.map(({ kind, metadata }) => [`${kind} ${metadata.name}`, `${metadata.uid} ${metadata.resourceVersion}`]),
  );
}

// Each test continues where the one before it ended: it is the life of one stack.
describe('the program of stacks/platform', () => {
  test('comes up until the pods of a model and its agent run, and those of a training are there', async () => {
    const { counts } = await stack.up();
    // The stack, three components, a namespace with its quota and its Secret, and 18 objects of the workloads.
    expect(counts).toEqual({ create: 25 });
    expect(await podsOf('llm')).toEqual(['fetcher Succeeded', 'server Running']);
    expect(await podsOf('support')).toEqual(['agent Running']);
    expect(await podsOf('resnet')).toHaveLength(2);
    expect(await stack.outputs()).toEqual({
      modelEndpoint: 'http://llm.ai-dev.svc:8000/v1',
      agentEndpoint: 'http://support.ai-dev.svc',
      trainingMaster: 'resnet-1-0.resnet',
    });
  });

  test('keeps a secret of its configuration secret in the state', () => {
    const state = stack.state();
    expect(state).toContain('"stringData"');
    expect(state).not.toContain(token);
    expect(state).not.toContain(Buffer.from(token).toString('base64'));
  });

  test('previews no change where there is none, and writes nothing for it', async () => {
    const before = mark();
    const { counts } = await stack.preview();
    expect(counts).toEqual({ same: 25 });
    const written = await mutationsSince(admin, before);
    expect(written.filter((write) => write.namespace === namespace)).toEqual([]);
  });

  test('has the same URNs in another folder, with classes and constructs of other names', async () => {
    const { project } = stack;
    move(project, 'stacks/platform', 'stacks/team-a');
    edit(project, 'Pulumi.yaml', 'stacks/platform/main.ts', 'stacks/team-a/main.ts');
    edit(project, 'stacks/pulumi/model-serving.ts', 'export class ModelServing ', 'export class Model ');
    edit(project, 'stacks/pulumi/index.ts', '{ ModelServing }', '{ Model as ModelServing }');
    edit(project, 'stacks/pulumi/agent-service.ts', '{ ModelServing }', '{ Model as ModelServing }');
    edit(project, 'stacks/pulumi/model-serving.ts', "(scope, 'workload',", "(scope, 'model',");
    edit(project, 'stacks/pulumi/component.ts', "new Chart(app, 'pulumi')", "new Chart(app, 'other')");
    expect((await stack.preview()).counts).toEqual({ same: 25 });
  });

  test('keeps all objects as they are where a component gets another parent, and an alias for that', async () => {
    const before = await versions();
    const main = 'stacks/team-a/main.ts';
    edit(
      stack.project,
      main,
      "const serving = new ModelServing('llm',",
      `import * as pulumi from '@pulumi/pulumi';
const parent = new pulumi.ComponentResource('acme:index:Models', 'models');
const aliases = [{ parent: pulumi.rootStackResource }];
const serving = new ModelServing('llm',`,
    );
    edit(stack.project, main, '  },\n});\n\nconst support', '  },\n}, { parent, aliases });\n\nconst support');
    expect((await stack.up()).counts).toEqual({ create: 1, same: 25 });
    expect(await versions()).toEqual(before);
    expect(stack.resources().map(({ urn }) => urn)).toContainEqual(
      expect.stringMatching(
        /::acme:index:Models\$trunnion:index:ModelServing\$kubernetes:apps\/v1:Deployment::llm-deployment$/,
      ),
    );
  });

  test('changes what more replicas change, and nothing else', async () => {
    await stack.set('model.replicas', '2');
    const { counts, steps } = await stack.up();
    expect(counts).toEqual({ create: 1, update: 1, same: 25 });
    expect(steps.filter(({ op }) => op !== 'same').map(({ op, name }) => `${op} ${name}`)).toEqual([
      'create llm-disruption-budget',
      'update llm-deployment',
    ]);
    expect(await podsOf('llm')).toEqual(['fetcher Succeeded', 'server Running', 'server Running']);
  });

  test('fetches another model onto a volume of its own, and gives the old one back once it is served', async () => {
    const before = await namesOf(TYPES.persistentVolumeClaim);
    await stack.set('model.uri', 'hf://Qwen/Qwen3-8B@main');
    const { counts, steps } = await stack.up();
    expect(counts).toEqual({ replace: 2, update: 1, same: 24 });
    const order = steps
      .map(({ op, name }) => `${op} ${name}`)
      .filter((step) => /llm-(weights|fetch|deployment)$/.test(step));
    expect(order).toEqual([
      'create-replacement llm-weights',
      'replace llm-weights',
      // A Job is deleted first: its name may be the same, and nothing needs one that has ended.
      'delete-replaced llm-fetch',
      'replace llm-fetch',
      'create-replacement llm-fetch',
      'update llm-deployment',
      'delete-replaced llm-weights',
    ]);
    const after = await namesOf(TYPES.persistentVolumeClaim);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  test('finds with a refresh what others have changed, and corrects it', async () => {
    await admin.delete(TYPES.service, { namespace, name: 'support' });
    await kubectl('label', 'networkpolicy/llm', '-n', namespace, 'app.kubernetes.io/part-of-');
    expect((await stack.refresh()).counts).toEqual({ delete: 1, update: 1, same: expect.any(Number) });
    expect((await stack.up()).counts).toEqual({ create: 1, update: 1, same: 25 });
    expect((await stack.preview()).counts).toEqual({ same: 27 });
    expect(await namesOf(TYPES.service)).toContain('support');
  });

  test('leaves nothing when it is destroyed', async () => {
    expect((await stack.destroy()).counts).toEqual({ delete: 27 });
    expect(stack.resources()).toEqual([]);
    expect(await admin.find(TYPES.namespace, { name: namespace })).toBeUndefined();
  });
});

test('the program of stacks/platform previews all that prod has, with nothing unknown', async () => {
  const prod = await StackUnderTest.of(platformProject(), 'prod');
  try {
    const { counts, steps } = await prod.preview();
    expect(counts).toEqual({ create: 27 });
    expect(steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['llm-ingress', 'llm-disruption-budget', 'support-disruption-budget']),
    );
    expect(unknownPlaces(steps)).toEqual([]);
  } finally {
    prod.remove();
  }
});
