import * as fc from 'fast-check';
import type { Place } from '../../compat/convert/place.ts';
import type { Manifest } from '../../constructs/index.ts';

/** Fields that some reader reads, wherever it may stand in another kind. */
const KNOWN = `
  annotations args autoscalingDisabled backoffLimit cmd command containers cpu declarative deployment
  elasticPolicy env image labels limits maxReplicas maxSurge memory metadata minReplicas model
  modelFormat nProcPerNode name namespace nodeSelector nprocPerNode numNodes numProcPerNode
  nvidia.com/gpu amd.com/gpu parallelism pipeline queue replicas requests resourceProfile resources
  rolloutStrategy runPolicy runtimeRef scaleMetric scaling scaleTarget schedulingPolicy sklearn spec
  storageUri suspend template tensor tensorflow toolNames tools trustRemoteCode type url uri volumes
`
  .trim()
  .split(/\s+/);

/** Names that no kind has, and that a careless reader stumbles over. */
const ODD_NAMES = [
  'unheardOf',
  'a.b',
  'x[0]',
  'constructor',
  'toString',
  'two\nlines',
  'apiVersion: v1',
  '\u2028',
  '',
  '0',
];

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 1.5, 1e21, '', '0', '1', '2', 'yes', '1_000'),
  fc.constantFrom('text', 'BYO', 'cpu', 'auto', 'nvidia-gpu-l4:many', 'x'.repeat(200)),
  fc.constantFrom('two\nlines', '# no comment', '--- ', '\u0085\u2028\u0000'),
);

/** Any value at all, where something else is expected. */
const odd = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
  fc.constantFrom<unknown>({}, [[]], [{}], [null], { a: { b: 1 } }, [{ name: 'A', value: null }], { name: 'trainer' }),
  fc.dictionary(fc.constantFrom(...KNOWN, ...ODD_NAMES), scalar, { maxKeys: 3 }),
);

interface Change {
  readonly at: number;
  readonly name: string | undefined;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  /** Undefined: what is there becomes another. */
  name: fc.option(fc.constantFrom(...KNOWN, ...ODD_NAMES), { nil: undefined }),
  value: odd,
});

/** A resource with a few things in it that nobody expects there. */
export const oddOne = (of: readonly Manifest[]): fc.Arbitrary<Manifest> =>
  fc
    .tuple(fc.constantFrom(...of), fc.array(change, { maxLength: 4 }))
    .map(([resource, changes]) => changes.reduce(changed, resource));

function changed(resource: Manifest, { at, name, value }: Change): Manifest {
  const copy = structuredClone(resource);
  const places = placesIn(copy).filter(
    ([first, second]) => first === 'spec' || (first === 'metadata' && second !== undefined && second !== 'name'),
  );
  const place = places[at % places.length] ?? ['spec'];
  const target = name === undefined ? place : [...place, name];
  return put(copy, target, value) as Manifest;
}

/** All places of a value, its own first. */
function placesIn(value: unknown, place: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [
    place,
    ...steps.flatMap((step) => placesIn((value as Record<string | number, unknown>)[step], [...place, step])),
  ];
}

/** The places of a resource that hold nothing further. */
export const leavesIn = (value: unknown): readonly Place[] => {
  const places = placesIn(value);
  return places.filter((place) => !places.some((other) => other.length > place.length && isUnder(other, place)));
};

const isUnder = (place: Place, above: Place): boolean => above.every((step, index) => place[index] === step);

/** The same value with another at a place; a value that can't have that place stays as it is. */
export function put(value: unknown, [step, ...rest]: Place, other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? put(item, rest, other) : item));
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [step]: put((value as Record<string, unknown>)[step], rest, other) };
}
