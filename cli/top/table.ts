import { keyOf } from './key.ts';
import type { EngineReading, Figures, Observed, Row, Table, TopPod, TopResource } from './types.ts';

/** A GPU that did less than this, in percent, did nothing: DCGM tells whole numbers. */
const IDLE_BELOW = 1;

/** All that is told, from what was seen. Resources that ask for most GPUs come first in their namespace. */
export function tableOf(observed: Observed): Table {
  const { resources, pods, nodes, notes } = observed;
  const byResource = Map.groupBy(pods?.filter(({ isOurs }) => isOurs) ?? [], idOfPod);
  const rows = resources.map((resource) => ({
    resource,
    own: byResource.get(`${resource.namespace}/${resource.label}/${resource.name}`) ?? [],
  }));
  const figures = rows.map(({ resource, own }) => ({ ...identity(resource), ...figuresOf(own, observed) }));
  const byNamespace = Map.groupBy(rows, ({ resource }) => resource.namespace);
  return {
    resources: figures.toSorted(before),
    namespaces: [...byNamespace]
      .map(([namespace, those]) => ({
        namespace,
        ...figuresOf(
          those.flatMap(({ own }) => own),
          observed,
        ),
      }))
      .toSorted((a, b) => compare(a.namespace, b.namespace)),
    ...(nodes !== undefined && { nodes }),
    notes,
  };
}

const idOfPod = ({ namespace, label, instance }: TopPod): string => `${namespace}/${label}/${instance}`;

const identity = ({ namespace, kind, name, phase, ready, desired }: TopResource) => ({
  namespace,
  kind,
  name,
  phase,
  ...(ready !== undefined && { ready }),
  ...(desired !== undefined && { desired }),
});

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const before = (a: Row, b: Row): number =>
  compare(a.namespace, b.namespace) || (b.gpus ?? 0) - (a.gpus ?? 0) || compare(a.name, b.name);

/** What the pods of a resource, or of several, tell together. */
function figuresOf(own: readonly TopPod[], { pods, engines, utilisation }: Observed): Figures {
  if (pods === undefined) return {};
  const placed = own.filter(({ node }) => node !== undefined);
  const gpus = gpusOf(own);
  const used = placed.flatMap((pod) => utilisation.get(keyOf(pod)) ?? []);
  const asked = own.filter(({ metrics }) => metrics !== undefined);
  const readings = asked.flatMap((pod) => engines.get(keyOf(pod)) ?? []);
  return {
    gpus,
    gpusWaiting: gpus - gpusOf(placed),
    ...(used.length > 0 && {
      gpuUtilisation: Math.round(total(used) / used.length),
      gpusIdle: used.filter((percent) => percent < IDLE_BELOW).length,
    }),
    ...totalOf(readings, 'running'),
    ...totalOf(readings, 'waiting'),
    ...totalOf(readings, 'tokensPerSecond'),
    ...(readings.length > 0 && readings.length < asked.length && { incomplete: true }),
  };
}

function totalOf(readings: readonly EngineReading[], figure: keyof EngineReading): EngineReading {
  const known = readings.flatMap((reading) => reading[figure] ?? []);
  return known.length === 0 ? {} : { [figure]: total(known) };
}

const gpusOf = (pods: readonly TopPod[]): number => total(pods.map(({ gpus }) => gpus));

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
