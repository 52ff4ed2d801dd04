export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions, Component } from './cluster.ts';
export { loopbackOf } from './nodes.ts';
export { clearNode } from './real-node/index.ts';
