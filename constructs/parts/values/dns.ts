const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Whether a value is a DNS label of RFC 1123, as names of most objects of Kubernetes are. */
export const isDnsLabel = (value: unknown, max = 63): value is string =>
  typeof value === 'string' && value.length <= max && LABEL.test(value);

/** Whether a value is one DNS label, or several with dots between. */
export const isDnsName = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && value.split('.').every((part) => isDnsLabel(part));
