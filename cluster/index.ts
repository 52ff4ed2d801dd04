export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions } from './cluster.ts';
export type { Component } from './components.ts';
export { loopbackOf } from './nodes.ts';
