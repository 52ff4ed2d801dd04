import { resourceType } from '../../../operator/kube/client/resource-types.ts';

export const DISAGGREGATED_SET = resourceType('disaggregatedset.x-k8s.io', 'v1', 'DisaggregatedSet');
