export { KubeClient } from './client.ts';
export {
  connect,
  defaultConnection,
  ConnectionError,
  variable,
  type Connection,
  type ConnectionSettings,
  type ConnectionSource,
} from './connection.ts';
export { connectionTrouble } from './connection-trouble.ts';
export { delayAfter } from './delay.ts';
export {
  AnswerTooLargeError,
  ApiError,
  TransportError,
  asTransportError,
  isExpired,
  isNotFound,
  isTooLarge,
  isTooLargeVersion,
} from './errors.ts';
export { sharedYield, yieldToEventLoop } from './event-loop.ts';
export type { YieldToEventLoop } from './event-loop.ts';
export type { Gate } from './gate.ts';
export { parseJson } from './json.ts';
export { microTime, pause } from './time.ts';
export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  LogStreamOptions,
  ObjectBody,
  ObjectList,
  ObjectRef,
  PodLogOptions,
  Query,
  RawOptions,
  WriteOptions,
} from './options.ts';
export type { KubeClientOptions, Observation } from './requester.ts';
export { resourceType, TYPES } from './resource-types.ts';
export type { StatusDetails } from './status-body.ts';
export { StreamedAnswer, type Body } from './streamed-answer.ts';
export {
  apiVersionOf,
  pathOf,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  type ResourceType,
} from './types.ts';
