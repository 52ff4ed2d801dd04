import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import { parseJson } from '../../../operator/kube/client/json.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { permissiveKinds } from '../../support/permissive-kinds.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const cheap = { ...servingSpec, resources: { gpu: 0, cpu: '1', memory: '1Gi' } };

async function setUp(name?: string): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace, { kinds: permissiveKinds });
  return new ServingUnderTest(admin, namespace, name);
}

/** Applies JSON as it is written: literals of JavaScript can't say some of it. */
async function applyText(serving: ServingUnderTest, spec: string): Promise<KubeObject> {
  const { namespace, name } = serving;
  const path = `/apis/trunnion.dev/v1alpha1/namespaces/${namespace}/modelservings/${name}`;
  const metadata = JSON.stringify({ name, namespace });
  const text = `{"apiVersion": "trunnion.dev/v1alpha1", "kind": "ModelServing", "metadata": ${metadata}, "spec": ${spec}}`;
  const contentType = 'application/apply-patch+yaml';
  const query = { fieldManager: 'kubectl', force: true };
  return (await admin.raw('PATCH', path, { contentType, query, body: parseJson(text) })) as KubeObject;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.message;
    throw error;
  }
  return expect.unreachable('the API server must refuse it');
}

/** The spec as text, with one more field. */
const withField = (field: string): string => `${JSON.stringify(cheap).slice(0, -1)}, ${field}}`;

interface Template {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly nodeSelector: Readonly<Record<string, string>>;
    readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value?: string }[] }[];
  };
}

const templateOf = async (serving: ServingUnderTest): Promise<Template> =>
  ((await admin.get(TYPES.deployment, serving))['spec'] as { readonly template: Template }).template;

/** Texts that annotations take as well: those are of one line, without marks that steer who shows them. */
const ONE_LINE = ['käse 🧀 ', '$(HOME) $$(HOME) `id` $(id) ; && | > "\'', '{{ .Values.secret }} ${x} %s'];

describe('what JavaScript is known to stumble over', () => {
  it('names that its objects have already are names like any other', async () => {
    const serving = await setUp('constructor');
    const { namespace } = serving;
    const names = { toString: 'a', valueOf: 'b', hasOwnProperty: 'c', 'example.com/constructor': 'd' };
    await admin.create(TYPES.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'constructor', namespace },
      data: JSON.parse('{"__proto__": "YQ==", "constructor": "Yg=="}') as object,
    });
    const keys = ['__proto__', 'constructor'];
    await serving.apply({
      ...cheap,
      model: { ...cheap.model, credentials: { secretName: 'constructor' } },
      env: [
        ...keys.map((key) => ({ name: key, valueFrom: { secretKeyRef: { name: 'constructor', key } } })),
        { name: 'toString', value: 'x' },
      ],
      podTemplate: { metadata: { labels: names, annotations: names } },
      serviceAccount: { annotations: names },
    });
    await serving.reaches('Running');
    const { metadata, spec } = await templateOf(serving);
    expect(metadata.labels).toMatchObject(names);
    expect(metadata.annotations).toMatchObject(names);
    expect(spec.containers[0]?.env.map(({ name }) => name)).toEqual(expect.arrayContaining(keys));
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each([
    ['a node selector', '"nodeSelector": {"__proto__": "a"}', 'must be the name of a label'],
    ['a label', '"podTemplate": {"metadata": {"labels": {"__proto__": "a"}}}', 'must be the name of a label'],
    ['an annotation', '"serviceAccount": {"annotations": {"__proto__": "a"}}', 'must be the name of an annotation'],
    ['a label', '"nodeSelector": {"constructor": "a"}', 'must have no key "constructor"'],
  ])('a key of its prototypes is refused as %s', async (_, field, words) => {
    const serving = new ServingUnderTest(admin, await testNamespace(admin));
    expect(await refusal(applyText(serving, withField(field)))).toContain(words);
  });

  it('integers beyond 2^53 are refused or kept to the last digit', async () => {
    const serving = await setUp();
    const large = '9007199254740993';
    expect(await refusal(applyText(serving, withField(`"replicas": ${large}`)))).toContain('spec.replicas');
    await applyText(serving, withField(`"podTemplate": {"metadata": {"annotations": {"example.com/n": "${large}"}}}`));
    await serving.reaches('Running');
    expect((await templateOf(serving)).metadata.annotations['example.com/n']).toBe(large);
    const sized = { ...cheap, storage: { ...cheap.storage, size: 'SIZE' } };
    const other = new ServingUnderTest(admin, serving.namespace, 'sized');
    // An amount may be written as a number, as long as that is exact.
    const asNumber = JSON.stringify(sized).replace('"SIZE"', large);
    expect(await refusal(applyText(other, asNumber))).toContain('spec.storage.size');
    await applyText(other, JSON.stringify(sized).replace('SIZE', large));
    const labelSelector = 'app.kubernetes.io/instance=sized';
    await eventually(async () => {
      const { items } = await admin.list(TYPES.persistentVolumeClaim, { namespace: serving.namespace, labelSelector });
      expect(items.map((claim) => claim['spec'])).toMatchObject([{ resources: { requests: { storage: large } } }]);
    });
  });

  it('null is the default where there is one, and else refused rather than taken for something', async () => {
    const serving = await setUp();
    await applyText(serving, withField('"drain": null, "security": null, "retired": null'));
    const { spec } = await serving.reaches('Running');
    const defaults = { drain: { timeoutSeconds: 120 }, security: { level: 'restricted' }, retired: false };
    expect(spec).toMatchObject(defaults);
    for (const field of ['nodeSelector', 'env', 'egress', 'expose', 'autoscaling', 'rollout', 'podTemplate']) {
      expect(await refusal(applyText(serving, withField(`"${field}": null`)))).toContain(`spec.${field}`);
    }
  });

  it('any text reaches a container as it was written', async () => {
    const serving = await setUp();
    const texts = [
      ...ONE_LINE,
      '\u202e\u0301\ufeff',
      'line\nline\r\n\ttab \u0001',
      // To YAML no characters at all, or ends of lines.
      '\u007f \u0085 \u009f \u2028 \u2029 \uffff',
      '',
    ];
    await serving.apply({
      ...cheap,
      engine: { ...cheap.engine, env: texts.map((value, index) => ({ name: `T${index}`, value })) },
      podTemplate: { metadata: { annotations: { 'example.com/text': ONE_LINE.join('') } } },
    });
    await serving.reaches('Running');
    const { metadata, spec } = await templateOf(serving);
    const values = spec.containers[0]?.env.filter(({ name }) => /^T\d$/.test(name)).map(({ value = '' }) => value);
    expect(values).toEqual(texts);
    expect(metadata.annotations['example.com/text']).toBe(ONE_LINE.join(''));
  });
});
