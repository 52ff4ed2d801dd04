import { agentServiceSubject } from './agent-service.ts';
import { distributedTrainingSubject } from './distributed-training.ts';
import { modelServingSubject } from './model-serving.ts';
import type { Subject } from './subject.ts';

/** Every kind. */
export const subjects: readonly Subject[] = [modelServingSubject, distributedTrainingSubject, agentServiceSubject];
