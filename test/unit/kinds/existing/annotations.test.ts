import { expect, test } from 'vitest';
import { defaultAnnotations } from '../../../../constructs/parts/annotations/index.ts';
import { existingKind } from '../../../../operator/kinds/existing/kind.ts';
import { translations } from '../../../../operator/kinds/existing/index.ts';
import { judged } from '../../../../operator/kinds/shared/annotations.ts';
import { filed, fromFile } from './support.ts';

const FILES = ['modeldeployment.yaml', 'mltrainingjob.yaml', 'aiagent.yaml'] as const;

test.for(FILES)('a resource of %s hands over no annotations of its own', (file) => {
  for (const resource of Object.values(filed(file))) {
    const translation = translations.find(({ theirs }) => theirs.kind === resource.kind);
    const metadata = { ...resource.metadata, annotations: { 'nginx.ingress.kubernetes.io/server-alias': 'mark' } };
    const { spec } = translation?.equalOf({ ...resource, metadata }, {}) ?? {};
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
    equalOf: (...args: Parameters<typeof translation.equalOf>) => {
      const equal = translation.equalOf(...args);
      const podTemplate = { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'host-network' } } };
      return { ...equal, ...(equal.spec && { spec: { ...equal.spec, podTemplate } }) };
    },
  };
  expect(() => existingKind(careless).render(resource, {})).toThrow(
    'spec.podTemplate.metadata.annotations[k8s.v1.cni.cncf.io/networks]: is not an annotation',
  );
});
