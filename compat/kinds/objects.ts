import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { RenderedChild } from '../../constructs/workload.ts';
import { manage } from '../../operator/runtime/index.ts';

/** Makes constructs of children that another kind has rendered, under the same ids and in the same order. */
export function addRendered(scope: Construct, children: readonly RenderedChild[]): void {
  const made = new Map<string, ApiObject>();
  for (const { id, manifest, after, ...options } of children) {
    const object = manage(new ApiObject(scope, id, manifest), options);
    for (const other of after) object.node.addDependency(made.get(other) as ApiObject);
    made.set(id, object);
  }
}
