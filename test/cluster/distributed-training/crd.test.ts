import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import { accepted } from '../../examples/distributed-training/accepted.ts';
import { refused } from '../../examples/distributed-training/refused.ts';
import { distributedTrainingArbitrary, trainingName } from '../../support/arbitrary-distributed-training.ts';
import { describeCrd } from '../support/crd.ts';

describeCrd({
  kind: distributedTraining,
  accepted,
  refused,
  names: trainingName,
  specs: distributedTrainingArbitrary,
});
