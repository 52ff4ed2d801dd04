import { podRestarts } from '../parts/objects/index.ts';
import { keepsPods, restarts, type RestartTable } from '../schema/restarts.ts';

const WRITTEN =
  'Its ranks are made of it: a training that runs starts a new attempt, not charged, from its checkpoint.';
const READ_LATER = 'Read by the operator alone, when the training ends or starts again.';

/** Whether a change of a field restarts the ranks of a training that runs. */
export const distributedTrainingRestarts: RestartTable = {
  'spec.framework': restarts(WRITTEN),
  'spec.image': restarts(WRITTEN),
  'spec.command': restarts(WRITTEN),
  'spec.args': restarts(WRITTEN),
  'spec.replicas': restarts(`${WRITTEN} Where elastic is given, ranks come or go, and the others run on.`),
  'spec.procsPerNode': restarts(WRITTEN),
  'spec.hyperparameters': restarts(WRITTEN),
  'spec.checkpoint': restarts(WRITTEN),
  'spec.elastic': restarts(WRITTEN),
  'spec.gang': restarts(WRITTEN),
  'spec.spot': restarts(WRITTEN),
  'spec.tensorflow': restarts(WRITTEN),
  'spec.mxnet': restarts(WRITTEN),
  'spec.mpi': restarts(WRITTEN),
  'spec.tuning': keepsPods('A trial that runs continues as it was started; later ones are made by the new words.'),
  'spec.retry': keepsPods(READ_LATER),
  'spec.objective': keepsPods(READ_LATER),
  'spec.ttlSecondsAfterFinished': keepsPods(READ_LATER),
  'spec.queue': keepsPods('Holds for the next time that it is queued.'),
  'spec.suspend': keepsPods('Stops the ranks, or lets them start; none is restarted.'),
  'spec.activeDeadlineSeconds': keepsPods('Changes the deadline of the Jobs, in place.'),
  ...podRestarts,
};
