export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions, Component } from './cluster.ts';
export { loopbackOf } from './nodes.ts';
export { clearNode, missingForNode, missingNodeTools } from './real-node/index.ts';
