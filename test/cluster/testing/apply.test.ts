import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError, TYPES, digestOfOwned, extract } from '../../../operator/kube/index.ts';
import type { KubeClient, KubeObject, ObjectBody } from '../../../operator/kube/index.ts';
import { clientOf } from '../../../testing/simulate/client.ts';
import { ApiServer } from '../../../testing/simulate/server/index.ts';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';

/** The simulated API server and a real one are sent the same, and must agree on who owns what. */

type Client = Pick<KubeClient, 'apply' | 'find' | 'patch'>;

/** What is empty is left out by a server as it likes: there is always something. */
const labels = fc
  .subarray(['a', 'b', 'c'], { minLength: 1 })
  .map((names) => Object.fromEntries(names.map((name) => [name, name])));

const env = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'C'), value: fc.constantFrom('1', '2') }), {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 3,
  })
  .map((all) => ({ env: all }));

const container = fc
  .record({
    image: fc.constantFrom('a:1', 'a:2'),
    env: fc.option(env),
    args: fc.option(fc.constantFrom(['x'], ['x', 'y'])),
    ports: fc.option(
      fc.constantFrom([{ containerPort: 80 }], [{ containerPort: 80 }, { containerPort: 81, name: 'b' }]),
    ),
  })
  .map(({ image, env: some, args, ports }) => ({
    image,
    ...some,
    ...(args !== null && { args }),
    ...(ports !== null && { ports }),
  }));

const spec = fc
  .record({
    replicas: fc.option(fc.constantFrom(1, 2, 3)),
    main: container,
    sidecar: fc.option(container),
    isLast: fc.boolean(),
    podLabels: labels,
    node: fc.option(fc.constantFrom('x', 'y')),
  })
  .map(({ replicas, main, sidecar, isLast, podLabels, node }) => {
    const first = { name: 'main', ...main };
    const second = sidecar === null ? [] : [{ name: 'sidecar', ...sidecar }];
    return {
      ...(replicas !== null && { replicas }),
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { ...podLabels, app: 'web' } },
        spec: {
          containers: isLast ? [...second, first] : [first, ...second],
          ...(node !== null && { nodeSelector: { node } }),
        },
      },
    };
  });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('apply' as const),
      manager: fc.constantFrom('operator', 'other'),
      force: fc.boolean(),
      labels,
      spec,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      patch: fc.oneof(
        fc.constantFrom(1, 2, 3).map((replicas) => ({ spec: { replicas } })),
        labels.map((set) => ({ metadata: { labels: { d: null, ...set } } })),
        spec.map(({ template }) => ({ spec: { template } })),
        fc.constant({ metadata: { labels: { a: null } } }),
      ),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Does a step, and says what came of it: the status of a refusal, or what each manager owns. */
async function done(client: Client, ref: { readonly namespace: string; readonly name: string }, one: Step) {
  try {
    await sent(client, ref, one);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { refused: error.status };
  }
  const live = (await client.find(TYPES.deployment, ref)) as KubeObject;
  return Object.fromEntries(
    ['operator', 'other'].map((manager) => [
      manager,
      { is: extract(live, manager), digest: digestOfOwned(live, manager) },
    ]),
  );
}

function sent(client: Client, ref: { readonly namespace: string; readonly name: string }, one: Step) {
  if (one.type === 'edit') return client.patch(TYPES.deployment, ref, one.patch, { fieldManager: 'kubectl-edit' });
  const body: ObjectBody = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...ref, labels: one.labels },
    spec: one.spec,
  };
  return client.apply(TYPES.deployment, body, { fieldManager: one.manager, force: one.force });
}

test('the simulated API server and a real one agree on who owns what', async () => {
  const admin = adminClient();
  const namespace = await testNamespace(admin);
  const quiet = { before: () => undefined, written: () => undefined };
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      const ref = { namespace, name: `web-${(made += 1)}` };
      const simulated = clientOf(new ApiServer(() => Date.now()), quiet);
      for (const one of steps) {
        const [real, ours] = [await done(admin, ref, one), await done(simulated, ref, one)];
        expect(ours).toEqual(real);
      }
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
