export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions, Component } from './cluster.ts';
export { architecture, writeImage, writeImageOfLayer, type ImageRecipe, type ImageSize } from './image-archive.ts';
export { filesOf } from './components.ts';
export { kubeconfig } from './credentials.ts';
export { loopbackOf } from './nodes.ts';
export { freePort } from './ports.ts';
export { killGroup, spawnTethered } from './process.ts';
export { clearNode, missingForNode, missingNodeTools } from './real-node/index.ts';
