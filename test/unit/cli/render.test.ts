import { App, Chart } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { AgentService, ModelServing } from '../../../constructs/index.ts';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { trunnion } from '../../support/trunnion.ts';

const SERVING = `
apiVersion: trunnion.dev/v1alpha1
kind: ModelServing
metadata: {name: llama}
spec:
  model: {uri: "pvc://weights/llama"}
  engine: {type: vllm}
  resources: {gpu: 1, memory: 16Gi}
`;

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: unknown;
}

const objects = (yaml: string): Rendered[] => parseAllDocuments(yaml).map((document): Rendered => document.toJS());

test('a resource on standard input is rendered to YAML on stdout', async () => {
  const { code, stdout, stderr } = await trunnion(['render', '-f', '-'], SERVING);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(objects(stdout).map(({ kind }) => kind)).toContain('Deployment');
});

test('a resource that names no namespace gets the one of --namespace', async () => {
  const { stdout } = await trunnion(['render', '-n', 'models', '-f', '-'], SERVING);
  expect(new Set(objects(stdout).map(({ metadata }) => metadata.namespace))).toEqual(new Set(['models']));
});

test('other objects of the file are passed over, and reported', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: token}\n';
  const { code, stdout, stderr } = await trunnion(['render', '-f', '-'], `${secret}---${SERVING}`);
  expect(code).toBe(0);
  expect(stderr).toBe('passed over Secret token: no resource of ours\n');
  expect(objects(stdout).map(({ kind }) => kind)).not.toContain('Secret');
});

describe('with --keep-others', () => {
  const keep = async (yaml: string, ...args: readonly string[]) =>
    trunnion(['render', '-f', '-', '--keep-others', ...args], yaml);
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {a: "yes", b: "012"}\n';
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: models}\n';

  test('other objects of the stream stay as they are, in their places', async () => {
    const { code, stdout, stderr } = await keep(`${namespace}---${SERVING}---\n${secret}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const found = objects(stdout);
    expect(found[0]).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'models' } });
    expect(found.at(-1)).toMatchObject({
      kind: 'Secret',
      metadata: { name: 'token' },
      stringData: { a: 'yes', b: '012' },
    });
    expect(found.map(({ kind }) => kind)).toContain('Deployment');
    expect(found.map(({ kind }) => kind)).not.toContain('ModelServing');
  });

  test('a stream without a resource of ours stays as it is', async () => {
    const { code, stdout } = await keep(secret, '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ kind: 'Secret' }] });
  });

  test('an object that a resource turns into must not be in the stream as well', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: llama}\n';
    const { code, stdout, stderr } = await keep(`${service}---${SERVING}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/Service default\/llama is made by the input itself as well as by ModelServing llama/);
  });

  test('what is wrong in a resource is told as without it', async () => {
    const { code, stdout, stderr } = await keep(`${secret}---${SERVING.replace('gpu: 1', 'gpu: -1')}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('spec.resources.gpu');
  });
});

test('resources that would make the same object are refused, with which and what to change', async () => {
  const fetched = SERVING.replace('{uri: "pvc://weights/llama"}', '{uri: "s3://models/llama/"}').replace(
    'spec:',
    'spec:\n  storage: {size: 40Gi, accessMode: ReadWriteMany}',
  );
  const other = fetched.replace('name: llama', 'name: llama-fetcher');
  const { code, stdout, stderr } = await trunnion(['render', '-f', '-'], `${fetched}---${other}`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /NetworkPolicy default\/llama-fetcher is made by ModelServing llama as well as by ModelServing llama-fetcher, .*another name/,
  );
});

test('an annotation that the operator refuses by default is rendered, and reported', async () => {
  const annotated = `${SERVING}  podTemplate: {metadata: {annotations: {example.com/note: a}}}\n`;
  const { code, stdout, stderr } = await trunnion(['render', '-f', '-'], annotated);
  expect(code).toBe(0);
  expect(stdout).toContain('example.com/note: a');
  expect(stderr).toMatch(
    /^ModelServing llama: By default the operator refuses it: spec\.podTemplate\.metadata\.annotations\[example\.com\/note\]: is not an annotation .* allowedAnnotations\.pod of the operator\.$/m,
  );
});

test('the items of a list are rendered', async () => {
  const { stdout: one } = await trunnion(['render', '-f', '-'], SERVING);
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects(SERVING) });
  expect((await trunnion(['render', '-f', '-'], list)).stdout).toBe(one);
});

test('all problems of a spec are reported at once, each with its path', async () => {
  const wrong = SERVING.replace('gpu: 1', 'gpu: -1').replace('type: vllm', 'type: magic');
  const { code, stdout, stderr } = await trunnion(['render', '-f', '-'], wrong);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^error: ModelServing default\/llama is invalid:$/m);
  expect(stderr).toMatch(/^ {2}spec\.engine\.type: .*\(got "magic"\)$/m);
  expect(stderr).toMatch(/^ {2}spec\.resources\.gpu: .*\(got -1\)$/m);
});

test('a kind of our group that does not exist is an error that names those that do', async () => {
  const { code, stderr } = await trunnion(['render', '-f', '-'], SERVING.replace('ModelServing', 'Inference'));
  expect(code).toBe(1);
  expect(stderr).toContain('there are: ModelServing (trunnion.dev/v1alpha1)');
});

const agent = (name: string) => `
apiVersion: trunnion.dev/v1alpha1
kind: AgentService
metadata: {name: agent}
spec: {image: registry.example.com/agent:1, modelRef: {name: ${name}}}
`;

test('an agent whose model is in the same file is rendered as the operator would make it, in whichever order', async () => {
  const { code, stdout, stderr } = await trunnion(['render', '-f', '-'], `${agent('llama')}---${SERVING}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const own = (rendered: readonly Rendered[]) => rendered.filter(({ metadata }) => metadata.name.startsWith('agent'));
  const chart = new Chart(new App(), 'chart');
  const namespace = 'default';
  const serving = new ModelServing(chart, 'serving', {
    name: 'llama',
    namespace,
    spec: objects(SERVING)[0]?.spec as ModelServingSpecInput,
  });
  new AgentService(chart, 'agent', {
    name: 'agent',
    namespace,
    spec: { image: 'registry.example.com/agent:1', model: serving },
  });
  expect(own(objects(stdout))).toEqual(own(chart.toJson() as Rendered[]));
});

test('an agent whose model is not in the file is rendered without pods, and the reason is reported', async () => {
  const { code, stdout, stderr } = await trunnion(['render', '-f', '-'], `${agent('qwen')}---${SERVING}`);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^AgentService agent: standard input has no ModelServing\/qwen in default\. What follows from it is left out/,
  );
  expect(objects(stdout)).not.toContainEqual(expect.objectContaining({ metadata: { name: 'agent-config' } }));
});

test('an agent whose model goes out of service is pointed to its successor', async () => {
  const retired = SERVING.replace('spec:', 'spec:\n  retired: true\n  successor: qwen');
  const { stderr } = await trunnion(['render', '-f', '-'], `${agent('llama')}---${retired}`);
  expect(stderr).toMatch(/^AgentService agent: ModelServing llama is going out of service.*qwen/);
});

test('text that is no YAML is an error that says where', async () => {
  const { code, stderr } = await trunnion(['render', '-f', '-'], 'a: [b');
  expect(code).toBe(1);
  expect(stderr).toMatch(/standard input: .* at line 1, column/);
});

test('a file that is not there is a usage error', async () => {
  const { code, stderr } = await trunnion(['render', '-f', 'nowhere.yaml']);
  expect(code).toBe(2);
  expect(stderr).toContain("nowhere.yaml can't be read");
});

test('the problems of all resources are reported at once', async () => {
  const wrong = SERVING.replace('gpu: 1', 'gpu: -1');
  const { code, stderr } = await trunnion(['render', '-f', '-'], `${wrong}---${wrong.replace('llama', 'qwen')}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /ModelServing default\/llama is invalid:\n {2}spec\.resources\.gpu: .*\nModelServing default\/qwen/,
  );
});

test('as JSON, the objects are one list, which kubectl takes', async () => {
  const { stdout } = await trunnion(['render', '-o', 'json', '-f', '-'], SERVING);
  const { kind, items }: { kind: string; items: Rendered[] } = JSON.parse(stdout);
  expect(kind).toBe('List');
  expect(items).toEqual(objects((await trunnion(['render', '-f', '-'], SERVING)).stdout));
});

test('a resource of an earlier operator is rendered as what the operator runs it as, with what it refers to', async () => {
  const { code, stdout, stderr } = await trunnion(['render', '-f', 'examples/compat/llm.yaml']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'passed over LLMModel gpt-small: it runs nothing by itself: others refer to it\n',
  });
  expect(objects(stdout).map(({ kind }) => kind)).toContain('Deployment');
});

/** A private key as users mount one: YAML 1.1 has it in octal, as `kubectl apply` stores it. */
const KEY = SERVING.replace(
  'spec:',
  'spec:\n  podTemplate: {spec: {volumes: [{name: key, secret: {secretName: key, defaultMode: 0400}}]}}',
);

test('a file mode in octal is the one that kubectl stores', async () => {
  const { stdout } = await trunnion(['render', '-o', 'json', '-f', '-'], KEY);
  expect(stdout).toMatch(/"defaultMode": 256\b/);
  expect(await trunnion(['render', '-o', 'json', '-f', '-'], KEY.replace('0400', '0o400'))).toMatchObject({ stdout });
});

test('merge keys, yes and no are what they are for kubectl', async () => {
  const merged = `${SERVING}  podTemplate: {metadata: {annotations: &a {example.com/on: 'yes'}, labels: {<<: *a, n: 'n'}}}
  engine: {type: vllm, pinArguments: no}
`;
  const { stderr } = await trunnion(['render', '-f', '-'], merged.replace('  engine: {type: vllm}\n', ''));
  expect(stderr).toMatch(/spec\.engine.*pinArguments/);
  expect(stderr).not.toMatch(/YAML|alias/);
});

test('text that YAML 1.1 takes for something else is printed in quotes', async () => {
  const env = `[{name: A, value: 'yes'}, {name: B, value: '0400'}, {name: C, value: 'n'}, {name: D, value: '1_000'}, {name: E, value: '1:30'}]`;
  const { stdout } = await trunnion(['render', '-f', '-'], `${SERVING}  env: ${env}\n`);
  for (const text of ['yes', '0400', 'n', '1_000', '1:30']) expect(stdout).toContain(`value: "${text}"\n`);
});

test('a search renders nothing, and says why', async () => {
  for (const args of [['render'], ['render', '-o', 'json'], ['graph', '-o', 'dot']]) {
    const { code, stderr } = await trunnion([...args, '-f', 'examples/tuning.yaml']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^DistributedTraining resnet-search: spec\.tuning: a search has no objects of its own; .*trunnion plan shows the first trials/,
    );
  }
});
