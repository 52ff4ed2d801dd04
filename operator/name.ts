/** The name of the operator: of its account, its Deployment, its Service. */
export const OPERATOR_NAME = 'trunnion-operator';

/** The Lease whose holder works, in the namespace of the operator. The operator makes it, so nobody who installs it does. */
export const LEASE_NAME = 'trunnion-operator';

/** The labels of all that is installed for the operator. */
export const OPERATOR_LABELS = { 'app.kubernetes.io/name': OPERATOR_NAME, 'app.kubernetes.io/part-of': 'trunnion' };
