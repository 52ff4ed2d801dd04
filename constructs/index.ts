export { ModelServing } from './model-serving/model-serving.ts';
export type { ModelServingProps } from './model-serving/model-serving.ts';
export type { ModelServingRuntime } from './model-serving/runtime.ts';
export type { ModelServingSpec, ModelServingSpecInput, ModelServingStatus } from './model-serving/spec.ts';
export { SpecError } from './schema/error.ts';
export type { Problem } from './schema/error.ts';
export { Workload } from './workload.ts';
export type { Child, ChildOptions, Manifest, RenderedChild, WorkloadProps } from './workload.ts';
