export { ApiServer, namedOf, type Patch } from './api-server.ts';
export { frozen } from './frozen.ts';
export { refusal } from './immutable.ts';
export { jsonPatched } from './json-patch.ts';
export type { Body } from './managers.ts';
export { mergePatched } from './merge-patch.ts';
