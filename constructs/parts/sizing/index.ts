/** What a model needs to be served. Pure: a shape, a GPU and wishes in; sizes, or why it does not fit, out. */
export { shapeOf, type KnownSizes } from './config.ts';
export { bitsOfName, guessedShape, parametersIn, parametersOfName } from './guess.ts';
export { findGpu, GPUS, similarGpus, type Gpu } from './gpus.ts';
export { GIB, VLLM_SHARE } from './memory.ts';
export type { MemoryMisfit, Misfit } from './misfit.ts';
export type { ModelShape } from './shape.ts';
export { sizeOf, sizeOnCpus, type CpuSizes, type Sizes } from './size.ts';
