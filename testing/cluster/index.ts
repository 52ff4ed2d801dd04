export { manifestsOf, type Manifests } from './manifests.ts';
export { Objects, type KindName, type PatchOptions } from './objects.ts';
export { ServedTypes, type ServedType } from './served-types.ts';
export { objectsAt, testClusterOf, withCluster, type TestCluster, type TestClusterOptions } from './with-cluster.ts';
