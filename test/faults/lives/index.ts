import type { Life } from '../life.ts';
import { agentServiceLife } from './agent-service.ts';
import { distributedTrainingLife } from './distributed-training.ts';
import { modelServingLife } from './model-serving.ts';

/** The whole life of each kind. */
export const lives: readonly Life[] = [modelServingLife, distributedTrainingLife, agentServiceLife];
