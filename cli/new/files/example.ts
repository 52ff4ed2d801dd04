import type { Names } from '../names.ts';
import type { ProjectFile } from '../types.ts';

/** A resource to try. */
export const exampleFile = ({ group, kind }: Names): ProjectFile => ({
  path: 'example.yaml',
  text: `apiVersion: ${group}/v1alpha1
kind: ${kind}
metadata:
  name: hello
spec:
  image: nginxinc/nginx-unprivileged:1.29
  replicas: 2
`,
});
