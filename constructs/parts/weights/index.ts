export { fetchContainer, waitContainer } from './containers.ts';
export { CREDENTIALS } from './credentials.ts';
export type { Credential } from './credentials.ts';
export { fetchEgress } from './egress.ts';
export { FETCHER_IMAGE } from './image.ts';
export type { WeightsInput, WeightsSpec } from './input.ts';
export { fetchJob } from './job.ts';
export { shortHash, WEIGHTS_ANNOTATION, weightsKey } from './key.ts';
export { EXIT, PERMANENT_EXIT_CODES } from './layout.ts';
export { isFetched, MODEL_URI_FORMS, MODEL_URI_PATTERN, parseModelUri } from './uri.ts';
export type { FetchedUri, ModelUri } from './uri.ts';
export {
  fetcherScript,
  fetcherScriptName,
  weightsClaim,
  weightsClaimName,
  weightsMounts,
  weightsPath,
  weightsVolumes,
} from './volumes.ts';
