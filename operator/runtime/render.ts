import { ApiObject, App, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { Workload, type Manifest, type RenderedChild } from '../../constructs/workload.ts';
import { isObject } from '../../constructs/schema/json.ts';
import { managedOptions } from './manage.ts';
import { inOrder } from './order.ts';

/**
 * The children that a construct makes: all objects of cdk8s in it, each with what it waits for. Its id is its path below
 * the chart, which is named after the resource, so that names that cdk8s makes up differ from resource to resource.
 *
 * @param make - makes the constructs in a scope
 * @throws Error where the constructs wait for each other in a circle, or are no objects that the API server takes
 */
export function renderedBy(chartId: string, make: (scope: Chart) => void): readonly RenderedChild[] {
  // cdk8s keeps constructs by their names in an object that has this one already.
  const chart = new Chart(new App(), chartId === 'constructor' ? 'resource-constructor' : chartId);
  make(chart);
  const placed = new Map<IConstruct, RenderedChild>();
  const all = chart.node.findAll();
  const workloads = all.filter((construct) => construct instanceof Workload);
  for (const workload of workloads) {
    const prefix = workloads.length === 1 ? '' : `${pathIn(chart, workload)}/`;
    const rendered = workload.render();
    for (const [at, { object }] of workload.children.entries()) {
      placed.set(object, prefixed(rendered[at] as RenderedChild, prefix));
    }
  }
  for (const object of all) {
    if (ApiObject.isApiObject(object) && !placed.has(object)) placed.set(object, childOf(object, chart));
  }
  return inOrder(all, placed);
}

/** Of a workload that stands alone the ids are those that it gives; several may give the same. */
const prefixed = (child: RenderedChild, prefix: string): RenderedChild =>
  prefix === '' ? child : { ...child, id: prefix + child.id, after: child.after.map((id) => prefix + id) };

const pathIn = (chart: Chart, { node: { path } }: IConstruct): string => path.slice(chart.node.path.length + 1);

function childOf(object: ApiObject, chart: Chart): RenderedChild {
  const { unmanagedFields = [], retain = false, noReplace, createOnly } = managedOptions(object);
  const manifest = object.toJson() as Manifest;
  return {
    id: pathIn(chart, object),
    after: [],
    unmanagedFields,
    retain,
    ...(noReplace !== undefined && { noReplace }),
    ...(createOnly !== undefined && { createOnly }),
    manifest: without(manifest, unmanagedFields),
  };
}

/** Others own these fields, so nothing may be said of them, whatever a construct sets by default. */
const without = (manifest: Manifest, paths: readonly string[]): Manifest =>
  paths.reduce((object, path) => removed(object, path.split('.')), manifest);

function removed<T extends object>(object: T, [name, ...rest]: readonly string[]): T {
  const fields = object as Readonly<Record<string, unknown>>;
  if (name === undefined || !Object.hasOwn(fields, name)) return object;
  if (rest.length > 0) {
    const value = fields[name];
    return isObject(value) ? { ...object, [name]: removed(value, rest) } : object;
  }
  const { [name]: _, ...others } = fields;
  return others as T;
}
