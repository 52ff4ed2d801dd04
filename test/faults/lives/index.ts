import type { Life } from '../life.ts';
import { distributedTrainingLife } from './distributed-training.ts';
import { modelServingLife } from './model-serving.ts';

/** The whole life of each kind. */
export const lives: readonly Life[] = [modelServingLife, distributedTrainingLife];
