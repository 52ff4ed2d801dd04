import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { modelServingArbitrary, resourceName } from '../../support/arbitrary-model-serving.ts';

test('every generated spec is valid in every host, and is what zod makes of it', () => {
  fc.assert(
    fc.property(resourceName, modelServingArbitrary, (name, spec) => {
      const parsed = parseSpec(modelServing, { name, namespace: 'models', spec, host: 'static' });
      expect(parsed).toEqual(modelServing.spec.parse(spec));
    }),
    { numRuns: 300 },
  );
});
