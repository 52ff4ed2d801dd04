import type { Names } from '../names.ts';
import type { ProjectFile } from '../types.ts';
import { imports } from './imports.ts';

/** Tests without a cluster, and a campaign of faults on one. */
export const testFiles = (names: Names): readonly ProjectFile[] => [lifeTest(names), faultsTest(names)];

const importsOf = (tools: string, kind: string, module: string): string =>
  imports(
    ['assert', 'node:assert/strict'],
    ['{ test }', 'node:test'],
    [tools, 'trunnion-operator/testing'],
    [`{ ${kind} }`, module],
  );

const lifeTest = ({ kind, file }: Names): ProjectFile => ({
  path: `test/${file}.test.ts`,
  text: `${importsOf('{ killAtEachWrite, simulate }', kind, `../src/${file}.ts`)}

const spec = { image: 'registry.example.com/hello:1.0', port: 8080, replicas: 1 };
const hello = { name: 'hello', namespace: 'apps', spec };

test('a resource is ready once its objects are', async () => {
  const life = simulate(${kind}, hello);
  await life.settle();
  const children = life.children.map(({ kind, name }) => \`\${kind} \${name}\`);
  assert.deepEqual(children.toSorted(), ['Deployment hello', 'Service hello']);
  assert.equal(life.condition('Ready').status, 'False');

  await life.rollOut();
  assert.equal(life.condition('Ready').status, 'True');
  assert.equal(life.status.url, 'http://hello.apps');
});

test('a change of the spec reaches the pods', async () => {
  const life = simulate(${kind}, hello);
  await life.rollOut();
  life.edit((spec) => ({ ...spec, replicas: 3 }));
  await life.rollOut();
  assert.equal(life.object('Deployment').spec?.replicas, 3);
});

test('an object that somebody deletes is made again', async () => {
  const life = simulate(${kind}, hello);
  await life.rollOut();
  life.remove('Service');
  await life.rollOut();
  assert.equal(life.condition('Ready').status, 'True');
});

test('an operator that is killed after any of its writes ends where it would have', async () => {
  await killAtEachWrite(${kind}, hello, async (life) => {
    await life.rollOut();
    life.edit((spec) => ({ ...spec, image: 'registry.example.com/hello:1.1' }));
    await life.rollOut();
    life.delete();
    await life.settle();
  });
});
`,
});

const faultsTest = ({ kind, file, group }: Names): ProjectFile => ({
  path: 'test/faults/faults.test.ts',
  text: `${importsOf('{ faults }', kind, `../../src/${file}.ts`)}

const hello = (replicas: number) => ({
  apiVersion: '${group}/v1alpha1',
  kind: '${kind}',
  metadata: { name: 'hello' },
  spec: { image: 'registry.example.com/hello:1.0', replicas },
});

const ready = { kind: '${kind}', name: 'hello', condition: 'Ready' };

// On a real control plane, which is built the first time: that needs Go, and takes minutes.
test('it reaches the same end under each fault', async () => {
  const { passed, text } = await faults({
    operator: { command: ['node', 'src/operator.ts'], ready: '/readyz', rereadsToken: true },
    kinds: [${kind}],
    scenario: [
      { name: 'create', apply: hello(1), until: ready },
      { name: 'scale', apply: hello(2), until: ready },
      { name: 'delete', delete: { kind: '${kind}', name: 'hello' } },
    ],
    log: console.log,
  });
  assert.ok(passed, text);
});
`,
});
