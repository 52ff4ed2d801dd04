export { fetchContainer, waitContainer } from './containers.ts';
export { CREDENTIALS } from './credentials.ts';
export { fetchEgress } from './egress.ts';
export { FETCHER_IMAGE } from './image.ts';
export type { WeightsInput, WeightsSpec } from './input.ts';
export { fetchJob } from './job.ts';
export { WEIGHTS_ANNOTATION, weightsKey } from './key.ts';
export { isFetched, parseModelUri } from './uri.ts';
export { fetcherScript, weightsClaim, weightsMounts, weightsPath, weightsVolumes } from './volumes.ts';
