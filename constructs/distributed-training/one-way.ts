import { canonicalQuantity, parseQuantity } from '../parts/values/index.ts';

/** Maps and fields of podTemplate and resources that hold amounts. */
const AMOUNTS: ReadonlySet<string> = new Set(['requests', 'limits']);
const AMOUNT: ReadonlySet<string> = new Set(['cpu', 'memory', 'sizeLimit']);

type Json = Readonly<Record<string, unknown>>;

/**
 * A spec in one of the ways in which it may be written: an amount as `1` and not as `1000m`, a port of TCP without its
 * protocol. Amounts stand in these two fields alone; elsewhere `limits` or `memory` may be the name of anything.
 */
export function inOneWay(spec: Json): Json {
  const { resources, podTemplate } = spec;
  return {
    ...spec,
    ...(isMap(resources) && { resources: withPlainAmounts(resources) }),
    ...(isMap(podTemplate) &&
      isMap(podTemplate['spec']) && {
        podTemplate: { ...podTemplate, spec: plainPod(podTemplate['spec']) },
      }),
  };
}

const plainPod = (pod: Json): Json => ({
  ...pod,
  ...mapped(pod, 'containers', plainContainer),
  ...mapped(pod, 'initContainers', plainContainer),
  ...mapped(pod, 'volumes', (volume) =>
    isMap(volume['emptyDir']) ? { ...volume, emptyDir: withPlainAmounts(volume['emptyDir']) } : volume,
  ),
});

const plainContainer = (container: Json): Json => ({
  ...container,
  ...mapped(container, 'ports', withoutTcp),
  ...(isMap(container['resources']) && { resources: withPlainAmounts(container['resources']) }),
});

/** A port of which no protocol is said is one of TCP. */
function withoutTcp(port: Json): Json {
  const { protocol, ...rest } = port;
  return protocol === 'TCP' ? rest : port;
}

const mapped = (object: Json, list: string, each: (item: Json) => Json): Json => {
  const items = object[list];
  return Array.isArray(items) ? { [list]: items.map((item: unknown) => (isMap(item) ? each(item) : item)) } : {};
};

/** With the amounts in it as the API server writes them back. */
const withPlainAmounts = (object: Json): Json =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      if (AMOUNTS.has(key) && isMap(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, amount]) => [name, plainAmount(amount)]))];
      }
      return [key, AMOUNT.has(key) ? plainAmount(value) : value];
    }),
  );

/** What is no amount is refused elsewhere. */
const plainAmount = (amount: unknown): unknown =>
  (typeof amount === 'string' || typeof amount === 'number') && parseQuantity(String(amount)) !== undefined
    ? canonicalQuantity(amount)
    : amount;

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
