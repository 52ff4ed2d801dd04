import { readYaml } from '../../../yaml/read.ts';

/** The fields of a kubeconfig that are no text: k8s.io/client-go v0.36, tools/clientcmd/api/v1/types.go. */
const FLAGS: ReadonlySet<string> = new Set(['insecure-skip-tls-verify', 'disable-compression', 'provideClusterInfo']);

/**
 * A kubeconfig as JSON, read as kubectl reads it: `no` is false, and a name or a token that is a number without quotes is
 * the text of that number, since client-go reads it into text.
 */
export const kubeconfigJson = (text: string): string => JSON.stringify(asText(readYaml(text)[0] ?? {}));

function asText(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => asText(item, field));
  // What a program has put there for itself.
  if (field === 'extensions') return value;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asText(inner, name)]));
  }
  return typeof value === 'number' || (typeof value === 'boolean' && !FLAGS.has(field)) ? String(value) : value;
}
