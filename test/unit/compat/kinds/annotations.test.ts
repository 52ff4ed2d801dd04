import { expect, test } from 'vitest';
import { defaultAnnotations } from '../../../../constructs/parts/annotations/index.ts';
import { compatKind } from '../../../../compat/kinds/kind.ts';
import { translations } from '../../../../compat/kinds/index.ts';
import { judged } from '../../../../operator/kinds/shared/annotations.ts';
import { filed, fromFile } from './support.ts';

const FILES = ['modeldeployment.yaml', 'mltrainingjob.yaml', 'aiagent.yaml'] as const;

test.for(FILES)('a resource of %s hands over no annotations of its own', (file) => {
  for (const resource of Object.values(filed(file))) {
    const translation = translations.find(({ theirs }) => theirs.kind === resource.kind);
    const metadata = { ...resource.metadata, annotations: { 'nginx.ingress.kubernetes.io/server-alias': 'mark' } };
    const { spec } = translation?.equivalentOf({ ...resource, metadata }, {}) ?? {};
    expect(JSON.stringify(spec ?? {})).not.toContain('annotations');
  }
});

test('what a translation hands over obeys the list of the administrator', () => {
  const resource = fromFile('modeldeployment.yaml', 'ModelDeployment/llama-3-8b');
  const translation = translations.find(({ theirs }) => theirs.kind === resource.kind);
  if (translation === undefined) throw new Error('nobody translates it');
  const careless = {
    ...translation,
    kind: judged(translation.kind, defaultAnnotations()),
    equivalentOf: (...args: Parameters<typeof translation.equivalentOf>) => {
      const equivalent = translation.equivalentOf(...args);
      const podTemplate = { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'host-network' } } };
      return { ...equivalent, ...(equivalent.spec && { spec: { ...equivalent.spec, podTemplate } }) };
    },
  };
  expect(() => compatKind(careless).render(resource, {})).toThrow(
    'spec.podTemplate.metadata.annotations[k8s.v1.cni.cncf.io/networks]: is not an annotation',
  );
});
