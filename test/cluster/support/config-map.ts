/** Applies as the operator does. */
export const MANAGER = { fieldManager: 'trunnion', force: true };

/** A ConfigMap to write. */
export function configMap(namespace: string, name: string, data: Readonly<Record<string, string>> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}
