export { AgentService } from './agent-service.ts';
export type { AgentServiceArgs } from './agent-service.ts';
export type { WorkloadArgs, WorkloadOptions } from './component.ts';
export { DistributedTraining } from './distributed-training.ts';
export type { DistributedTrainingArgs } from './distributed-training.ts';
export { text } from './inputs.ts';
export type { Inputs, Template, Text } from './inputs.ts';
export { ModelServing } from './model-serving.ts';
export type { ModelServingArgs } from './model-serving.ts';
