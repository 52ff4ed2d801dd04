import type { ChildType } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';

/** KEDA's ScaledObject, as a type of child: which autoscaler it has made, and how that goes. */
export const SCALED_OBJECT: ChildType = {
  ...TYPES.scaledObject,
  optional: true,
  keep: ['status.hpaName', 'status.conditions'],
};

/** The Gateway API's HTTPRoute, as a type of child: which of its gateways have taken it. */
export const HTTP_ROUTE: ChildType = { ...TYPES.httpRoute, optional: true, keep: ['status.parents'] };
