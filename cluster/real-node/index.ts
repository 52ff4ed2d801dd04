export { NODE_COMPONENTS, type NodeComponent } from './components.ts';
export { clearNode, RealNode } from './real-node.ts';
export { requirements, thisHost } from './requirements.ts';
