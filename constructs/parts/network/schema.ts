export { egressRules } from './egress.schema.ts';
export { expose } from './exposure.schema.ts';
