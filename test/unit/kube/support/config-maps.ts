/** The type of what the fake API server has. */
export const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
