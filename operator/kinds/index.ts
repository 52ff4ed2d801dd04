import type { Kind } from '../engine/kind.ts';
import { agentService } from './agent-service/index.ts';
import { distributedTraining } from './distributed-training/index.ts';
import { modelServing } from './model-serving/index.ts';

/** Every kind that the operator runs. */
export const kinds: readonly Kind[] = [modelServing, agentService, distributedTraining];
