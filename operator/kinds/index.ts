import type { Kind } from '../engine/kind.ts';
import { agentService } from './agent-service/index.ts';
import { existingKinds } from './existing/index.ts';
import { distributedTraining } from './distributed-training/index.ts';
import { modelServing } from './model-serving/index.ts';

/** The kinds of our own. */
export const kinds: readonly Kind[] = [modelServing, agentService, distributedTraining];

/** All kinds that the operator runs: those of earlier operators where they are installed. */
export const allKinds: readonly Kind[] = [...kinds, ...existingKinds];
