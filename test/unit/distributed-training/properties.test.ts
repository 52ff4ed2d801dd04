import { DistributedTraining } from '../../../constructs/distributed-training/distributed-training.ts';
import { distributedTrainingArbitrary } from '../../support/arbitrary-distributed-training.ts';
import { describeConstruct } from '../../support/construct-properties.ts';

describeConstruct(
  distributedTrainingArbitrary,
  (scope, spec) => new DistributedTraining(scope, 'training', { name: 'resnet', namespace: 'training', spec }),
);
