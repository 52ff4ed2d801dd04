export type { AccessMode } from './access-mode.ts';
export { COMPANIONS, VOCABULARY_VARIABLE, companionPath, companionSelection, companionsOf } from './companions.ts';
export { WAIT, fetchContainer, waitContainer } from './containers.ts';
export { CREDENTIALS, variablesOf } from './credentials.ts';
export { fetchEgress, fetchIdentity } from './egress.ts';
export { fetchVariables } from './environment.ts';
export { BUILT_IN_FETCHER, FETCHER_IMAGE, FETCHER_IMAGE_CONTEXT, NO_FETCHER_IMAGE } from './image.ts';
export type { Equipment, WeightsInput, WeightsSpec } from './input.ts';
export { fetchJob } from './job.ts';
export {
  WEIGHTS_ANNOTATION,
  isSameModel,
  shortHash,
  shortHashOf,
  weightsKey,
  weightsOf,
  type FetchedModel,
} from './key.ts';
export { EXIT, FETCH, PERMANENT_EXIT_CODES, VOLUME_PATH, WEIGHTS_FOLDER, markerFile, type Marker } from './layout.ts';
export { PROXY_VARIABLES, hasReadableCredentials, parseProxy } from './proxy.ts';
export type { Selection } from './selection.ts';
export {
  MODEL_URI_FORMS,
  URI_CHARACTERS,
  URI_ENCODING,
  isArchive,
  isFetched,
  parseModelUri,
  type AzureUri,
  type FetchedUri,
  type GcsUri,
  type HttpsUri,
  type HuggingFaceUri,
  type S3Uri,
} from './uri.ts';
export { fetcherScript, weightsClaim, weightsMounts, weightsPath, weightsVolumes } from './volumes.ts';
