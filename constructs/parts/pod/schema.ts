export { containerRules } from './containers.rules.ts';
export { IMAGE, args, image } from './containers.schema.ts';
export { RESERVED_ENV, env, notReserved, variableName } from './env.schema.ts';
export { podFields } from './pod.schema.ts';
export { baseResources, gpu, gpuProductNeedsGpu, resources } from './resources.schema.ts';
export { securityFields, securityRules } from './security.schema.ts';
export { RESERVED_VOLUMES } from './volumes.schema.ts';
export { drainRules, nameRules, scalingRules } from './workload.rules.ts';
