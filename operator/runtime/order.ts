import type { IConstruct } from 'constructs';
import type { RenderedChild } from '../../constructs/workload.ts';

/**
 * Children in an order in which each comes after those that it waits for: by what a workload says, and by cdk8s's own
 * dependencies, of which one between two groups of objects is one between all of both.
 *
 * @param constructs - all in which they stand
 * @throws Error where some wait for each other in a circle
 */
export function inOrder(
  constructs: readonly IConstruct[],
  children: ReadonlyMap<IConstruct, RenderedChild>,
): readonly RenderedChild[] {
  const objects = [...children.keys()];
  const below = (construct: IConstruct): readonly IConstruct[] =>
    objects.filter((object) => object === construct || object.node.scopes.includes(construct));
  const after = new Map<IConstruct, Set<IConstruct>>(objects.map((object) => [object, new Set()]));
  for (const construct of constructs) {
    for (const dependency of construct.node.dependencies) {
      const first = below(dependency);
      for (const object of below(construct)) for (const one of first) if (one !== object) after.get(object)?.add(one);
    }
  }
  const all = objects.map((object) => {
    const child = children.get(object) as RenderedChild;
    const ids = [...(after.get(object) ?? [])].map((one) => (children.get(one) as RenderedChild).id);
    return { ...child, after: [...new Set([...child.after, ...ids])] };
  });
  return sorted(all);
}

/** As they are, but that what a child waits for comes before it. */
function sorted(children: readonly RenderedChild[]): readonly RenderedChild[] {
  const byId = new Map(children.map((child) => [child.id, child]));
  const placed = new Set<RenderedChild>();
  const underWay: string[] = [];
  const place = (child: RenderedChild): void => {
    if (placed.has(child)) return;
    const from = underWay.indexOf(child.id);
    if (from >= 0) throw new Error(`these wait for each other in a circle: ${underWay.slice(from).join(', ')}`);
    underWay.push(child.id);
    for (const id of child.after) place(byId.get(id) as RenderedChild);
    underWay.pop();
    placed.add(child);
  };
  for (const child of children) place(child);
  return [...placed];
}
