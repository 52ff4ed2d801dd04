import type { Scenario } from '../../../testing/faults/scenario.ts';
import { agentServiceScenario } from './agent-service.ts';
import { distributedTrainingScenario } from './distributed-training.ts';
import { modelServingScenario } from './model-serving.ts';

/** One scenario for each kind. */
export const scenarios: readonly Scenario[] = [modelServingScenario, distributedTrainingScenario, agentServiceScenario];
