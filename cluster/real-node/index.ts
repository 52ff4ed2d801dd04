export { NODE_COMPONENTS, type NodeComponent } from './components.ts';
export { clearNode, RealNode } from './real-node.ts';
export { missingForNode, requirements, thisHost } from './requirements.ts';
export { missingNodeTools } from './tools.ts';
