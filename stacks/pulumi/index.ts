export { AgentService } from './agent-service.ts';
export type { AgentServiceArgs } from './agent-service.ts';
export type { WorkloadArgs } from './component.ts';
export { text } from './inputs.ts';
export type { Inputs, Template, Text } from './inputs.ts';
export { ModelServing } from './model-serving.ts';
export type { ModelServingArgs } from './model-serving.ts';
