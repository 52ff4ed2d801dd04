import { canonicalQuantity, parseQuantity } from '../parts/values/index.ts';
import { isObject, type PlainObject } from '../schema/json.ts';

/** Maps and fields of podTemplate and resources that hold amounts. */
const AMOUNTS: ReadonlySet<string> = new Set(['requests', 'limits']);
const AMOUNT: ReadonlySet<string> = new Set(['cpu', 'memory', 'sizeLimit']);

/**
 * A spec in one of the ways in which it may be written: an amount as `1` and not as `1000m`, a port of TCP without its
 * protocol. Amounts stand in these two fields alone; elsewhere `limits` or `memory` may be the name of anything.
 */
export function inOneWay(spec: PlainObject): PlainObject {
  const { resources, podTemplate } = spec;
  return {
    ...spec,
    ...(isObject(resources) && { resources: withPlainAmounts(resources) }),
    ...(isObject(podTemplate) &&
      isObject(podTemplate['spec']) && {
        podTemplate: { ...podTemplate, spec: plainPod(podTemplate['spec']) },
      }),
  };
}

const plainPod = (pod: PlainObject): PlainObject => ({
  ...pod,
  ...mapped(pod, 'containers', plainContainer),
  ...mapped(pod, 'initContainers', plainContainer),
  ...mapped(pod, 'volumes', (volume) =>
    isObject(volume['emptyDir']) ? { ...volume, emptyDir: withPlainAmounts(volume['emptyDir']) } : volume,
  ),
});

const plainContainer = (container: PlainObject): PlainObject => ({
  ...container,
  ...mapped(container, 'ports', withoutTcp),
  ...(isObject(container['resources']) && { resources: withPlainAmounts(container['resources']) }),
});

/** A port of which no protocol is said is one of TCP. */
function withoutTcp(port: PlainObject): PlainObject {
  const { protocol, ...rest } = port;
  return protocol === 'TCP' ? rest : port;
}

const mapped = (object: PlainObject, list: string, each: (item: PlainObject) => PlainObject): PlainObject => {
  const items = object[list];
  return Array.isArray(items) ? { [list]: items.map((item: unknown) => (isObject(item) ? each(item) : item)) } : {};
};

/** With the amounts in it as the API server writes them back. */
const withPlainAmounts = (object: PlainObject): PlainObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      if (AMOUNTS.has(key) && isObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, amount]) => [name, plainAmount(amount)]))];
      }
      return [key, AMOUNT.has(key) ? plainAmount(value) : value];
    }),
  );

/** What is not an amount is refused elsewhere. */
const plainAmount = (amount: unknown): unknown =>
  (typeof amount === 'string' || typeof amount === 'number') && parseQuantity(String(amount)) !== undefined
    ? canonicalQuantity(amount)
    : amount;
