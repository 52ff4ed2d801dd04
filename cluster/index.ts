export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions, Component } from './cluster.ts';
export { architecture, writeImage, writeImageOfLayer, type ImageRecipe, type ImageSize } from './image-archive.ts';
export { loopbackOf } from './nodes.ts';
export { clearNode, missingForNode, missingNodeTools } from './real-node/index.ts';
