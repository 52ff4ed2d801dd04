import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { convert } from '../../../../compat/convert/convert.ts';
import { parseManifests } from '../../../../cli/manifests.ts';
import { packageFile } from '../../../../cli/package.ts';
import type { Manifest } from '../../../../constructs/index.ts';
import { allKinds, kinds } from '../../../../compat/kinds/index.ts';
import { stored } from '../kinds/support.ts';

const file = (name: string): readonly Manifest[] =>
  parseManifests(readFileSync(packageFile('examples', 'compat', `${name}.yaml`), 'utf8'), name);

const FILES = [
  'modeldeployment',
  'mltrainingjob',
  'llm',
  'aiagent',
  'mlmodel',
  'full/modeldeployment',
  'full/mltrainingjob',
  'full/llm',
  'full/aiagent',
];

/** Resources with what they refer to. */
const RESOURCES = FILES.flatMap((name) =>
  file(name)
    .filter(({ kind }) => kind !== 'LLMModel')
    .map((manifest) => [`${manifest.kind} ${manifest.metadata.name} of ${name}.yaml`, manifest, file(name)] as const),
);

const rendered = (resource: Manifest, related: readonly Manifest[]): string => {
  const kind = allKinds.find(({ type }) => type.kind === resource.kind);
  const live = kinds.includes(kind!) ? asResource(resource) : stored(resource);
  const byId = Object.fromEntries(related.map((each) => [`${each.kind}/${each.metadata.name}`, stored(each)]));
  const snapshot = { resource: live, children: [], pods: [], related: byId, answers: {}, failures: [] };
  return JSON.stringify(kind?.render(live, kind.reconcile(snapshot, 0).state));
};

const asResource = ({ metadata, ...rest }: Manifest) => ({
  ...rest,
  metadata: { uid: '', resourceVersion: '', creationTimestamp: '', namespace: 'default', ...metadata },
  spec: rest['spec'],
});

describe('the equivalent of what the operator runs already', () => {
  test.each(RESOURCES)('%s is made of the very same objects', (_, manifest, related) => {
    const equivalent = convert(manifest, related);
    expect(equivalent?.problems).toEqual([]);
    expect(rendered(equivalent!.manifest, [])).toBe(rendered(manifest, related));
  });

  const pods = {
    env: [{ name: 'LOG_LEVEL', value: 'debug' }],
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { pool: 'a' },
    tolerations: [{ operator: 'Exists' }],
    priorityClassName: 'high',
    runtimeClassName: 'nvidia',
    serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::123456789012:role/a' } },
    security: { level: 'restricted' },
    egress: [],
    podTemplate: { metadata: { labels: { team: 'a' } }, spec: { schedulerName: 'mine' } },
  };
  const training = {
    ...pods,
    queue: 'a',
    gang: { scheduler: 'volcano' },
    spot: true,
    elastic: { minReplicas: 1, maxReplicas: 8 },
    resources: { gpu: 1, gpuResource: 'nvidia.com/gpu.shared' },
  };
  const serving = {
    ...pods,
    security: { level: 'baseline' },
    expose: { gateway: { name: 'public', hostname: 'chat.example.com' } },
    autoscaling: {
      maxReplicas: 4,
      targets: { queueDepth: 4 },
      prometheus: { serverAddress: 'http://prometheus.monitoring.svc:9090' },
    },
  };

  test.each([
    ...Object.entries(training).map(([field, value]) => ['mltrainingjob', 0, field, value] as const),
    ...Object.entries(serving).map(([field, value]) => ['full/llm', 1, field, value] as const),
  ])('of %s.yaml, resource %i, with %s is made of the very same objects, and of others than without it', (...row) => {
    const [name, at, field, value] = row;
    const all = file(name);
    const before = all[at]!;
    const manifest = { ...before, spec: { ...(before['spec'] as object), [field]: value } };
    const equivalent = convert(manifest, all);
    expect(equivalent?.problems).toEqual([]);
    expect(rendered(equivalent!.manifest, [])).toBe(rendered(manifest, all));
    expect(rendered(manifest, all)).not.toBe(rendered(before, all));
  });

  test('names unknown fields', () => {
    const [agent] = file('aiagent');
    const spec = { ...(agent!['spec'] as object), memory: { kind: 'long' } };
    expect(convert({ ...agent!, spec }, [])?.notes).toContainEqual({
      path: 'spec.memory',
      value: { kind: 'long' },
      message: 'has no equivalent: without it all would be the same',
    });
  });

  test('says what a file lacks', () => {
    const [, deployment] = file('llm');
    expect(convert(deployment!, [deployment!])?.notes[0]?.message).toContain('There is no LLMModel gpt-small');
  });
});
