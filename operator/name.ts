/** The name of the operator: of its account, its Deployment, its Service. */
export const OPERATOR_NAME = 'trunnion-operator';

/** The labels of all that is installed for the operator. */
export const OPERATOR_LABELS = { 'app.kubernetes.io/name': OPERATOR_NAME, 'app.kubernetes.io/part-of': 'trunnion' };
