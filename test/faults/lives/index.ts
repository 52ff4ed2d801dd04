import type { Life } from '../life.ts';
import { agentServiceLife } from './agent-service.ts';
import { distributedTrainingLife } from './distributed-training.ts';
import { modelServingLife } from './model-serving.ts';
import { searchLife } from './search.ts';

/** The whole life of each kind, and of a search. */
export const lives: readonly Life[] = [modelServingLife, distributedTrainingLife, agentServiceLife, searchLife];
