import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentService } from '../../../constructs/agent-service/kind.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { agentServiceArbitrary } from '../../support/arbitrary-agent-service.ts';
import { modelServingArbitrary, resourceName } from '../../support/arbitrary-model-serving.ts';

test('every generated spec of an AgentService is valid in every host, and is what zod makes of it', () => {
  fc.assert(
    fc.property(agentServiceArbitrary, (spec) => {
      const parsed = parseSpec(agentService, { name: 'agent', namespace: 'agents', spec, host: 'static' });
      expect(parsed).toEqual(agentService.spec.parse(spec));
    }),
    { numRuns: 300 },
  );
});

test('every generated spec of a ModelServing is valid in every host, and is what zod makes of it', () => {
  fc.assert(
    fc.property(resourceName, modelServingArbitrary, (name, spec) => {
      const parsed = parseSpec(modelServing, { name, namespace: 'models', spec, host: 'static' });
      expect(parsed).toEqual(modelServing.spec.parse(spec));
    }),
    { numRuns: 300 },
  );
});

test.for([
  // Only the operator looks a reference up, and only it drains what retires.
  ['AgentService', agentService, agentServiceArbitrary, ['modelRef']],
  ['ModelServing', modelServing, modelServingArbitrary, ['retired']],
] as const)('every field of the spec of a %s is generated', ([, kind, arbitrary, apart]) => {
  const generated = new Set(
    fc.sample<object>(arbitrary, { numRuns: 500, seed: 1 }).flatMap((spec) => Object.keys(spec)),
  );
  const fields = Object.keys(kind.schema().properties?.['spec']?.properties ?? {});
  const missing = fields.filter((field) => !generated.has(field) && !apart.some((other) => other === field));
  expect(missing, 'add these to test/support/arbitrary-KIND.ts').toEqual([]);
});
