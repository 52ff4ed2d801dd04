export { AgentService } from './agent-service/agent-service.ts';
export type { AgentServiceProps, ModelSource } from './agent-service/agent-service.ts';
export type { AgentServiceState, ServedModel } from './agent-service/state.ts';
export type { AgentServiceSpec, AgentServiceSpecInput, AgentServiceStatus } from './agent-service/spec.ts';
export { DistributedTraining } from './distributed-training/distributed-training.ts';
export type { DistributedTrainingProps } from './distributed-training/distributed-training.ts';
export type { DistributedTrainingState } from './distributed-training/state.ts';
export type {
  DistributedTrainingSpec,
  DistributedTrainingSpecInput,
  DistributedTrainingStatus,
} from './distributed-training/spec.ts';
export { ModelServing } from './model-serving/model-serving.ts';
export type { ModelServingProps } from './model-serving/model-serving.ts';
export type { ModelServingState } from './model-serving/state.ts';
export type { ModelServingSpec, ModelServingSpecInput, ModelServingStatus } from './model-serving/spec.ts';
export { FETCHER_IMAGE_CONTEXT } from './parts/weights/index.ts';
export type { Naming } from './parts/objects/index.ts';
export { SpecError } from './schema/error.ts';
export type { Problem } from './schema/error.ts';
export { Workload } from './workload.ts';
export type { Child, ChildOptions, Manifest, RenderedChild, WorkloadProps } from './workload.ts';
