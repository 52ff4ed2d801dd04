import { ModelServing } from '../../../constructs/index.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { describeConstruct } from '../../support/construct-properties.ts';

describeConstruct(
  modelServingArbitrary,
  (scope, spec) => new ModelServing(scope, 'serving', { name: 'llama', namespace: 'models', spec }),
);
