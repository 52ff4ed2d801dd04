import { agentService } from './agent-service/kind.ts';
import { distributedTraining } from './distributed-training/kind.ts';
import { modelServing } from './model-serving/kind.ts';
import type { KindSchema } from './schema/kind.ts';

/** Every kind of our own. */
export const KINDS: readonly KindSchema[] = [modelServing, agentService, distributedTraining];
