import { json, object } from './fake-api-server.ts';

/** One that is there, or is written. */
export const REF = { namespace: 'd', name: 'x' };
export const BODY = { apiVersion: 'v1', kind: 'ConfigMap', metadata: REF };

/** The answer that has it. */
export const ok = json(object('x', 1));
