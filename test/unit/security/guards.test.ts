import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RenderedChild } from '../../../constructs/index.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { render } from '../model-serving/support/render.ts';
import { labelsOfPods, podTemplateOf } from './support/pods.ts';

const ofKind = (children: readonly RenderedChild[], kind: string) =>
  children.filter(({ manifest }) => manifest.kind === kind);

const selects = ({ manifest }: RenderedChild, labels: Readonly<Record<string, string>>): boolean => {
  const { podSelector } = manifest['spec'] as { podSelector: { matchLabels: Readonly<Record<string, string>> } };
  return Object.entries(podSelector.matchLabels).every(([key, value]) => labels[key] === value);
};

test('no pod is made before its ServiceAccount and a NetworkPolicy that selects it, so that neither can be a namesake’s', () => {
  fc.assert(
    fc.property(modelServingArbitrary, (spec) => {
      const children = render(spec);
      const makers = children.filter(({ manifest }) => podTemplateOf(manifest) !== undefined);
      expect(makers.length).toBeGreaterThan(0);
      for (const maker of makers) {
        const account = podTemplateOf(maker.manifest)?.spec.serviceAccountName;
        const [accounts, policies] = [ofKind(children, 'ServiceAccount'), ofKind(children, 'NetworkPolicy')];
        const guards = [
          accounts.find(({ manifest }) => manifest.metadata.name === account),
          policies.find((policy) => selects(policy, labelsOfPods(maker.manifest))),
        ];
        expect(maker.after).toEqual(expect.arrayContaining(guards.map((guard) => guard?.id)));
      }
    }),
    { numRuns: 50 },
  );
});
