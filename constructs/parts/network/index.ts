export { clusterAddress, isLoopback } from './cluster-address.ts';
export { httpRoute, ingress, type Backend, type Exposure } from './exposure.ts';
export { hostEgress } from './host-egress.ts';
export {
  ADDS_EGRESS,
  additionalEgress,
  declaredEgress,
  distinctRules,
  networkPolicy,
  ofNamespace,
  type EgressRule,
} from './isolation.ts';
export { withoutMetadata } from './metadata-services.ts';
