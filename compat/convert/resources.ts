import { structureProblems } from '../../constructs/schema/structure.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Fields } from './fields.ts';
import { schemaOf } from './known.ts';
import { given, isSame } from './pods.ts';

/** What a container asks for. */
export interface Resources {
  /** `resources` of ours. */
  readonly own: Readonly<Record<string, Json>>;
  /** What `resources` can't say, for the container of podTemplate. */
  readonly template: object;
}

/** Extended resources that are GPUs or other accelerators, or parts of them. */
const ACCELERATOR =
  /^(?:(?:nvidia\.com\/(?:gpu|mig-[-.\w]+|gpu\.shared)|amd\.com\/gpu|(?:gpu\.)?intel\.com\/(?:gpu|i915|xe)|habana\.ai\/gaudi|aws\.amazon\.com\/neuron(?:core|device)?|google\.com\/tpu|huawei\.com\/[aA]scend\w*|cambricon\.com\/[-.\w]+|[^/]+\/(?:[-.\w]{1,40}-)?(?:gpu|npu)(?:\.shared)?))$/;

/** Claims of DRA, of which resources here say nothing. */
const hasClaims = (resources: Fields): boolean => resources.peek('claims') !== undefined;

/**
 * What a container asks for: GPUs by their extended resource, CPU as requested, memory as limited, all else in podTemplate.
 *
 * @param known - whether devices are given in another way, so that nobody can tell how many GPUs there are
 */
export function resourcesOf(resources: Fields, kind: KindSchema, known = { hasClaims: false }): Resources {
  const isCounted = !known.hasClaims && !hasClaims(resources);
  const gpus = gpusOf(resources);
  const isUnknown = gpus['gpu'] === undefined && !isCounted;
  const rest = processingOf(resources, kind);
  return {
    own: { ...(isUnknown ? {} : { gpu: 0 }), ...gpus, ...rest.own },
    template: rest.template,
  };
}

function gpusOf(resources: Fields): Readonly<Record<string, Json>> {
  const limits = resources.at('limits');
  const requests = resources.at('requests');
  const name = [...limits.names, ...requests.names].find((each) => ACCELERATOR.test(each));
  if (name === undefined) return {};
  const gpu = limits.count(name) ?? requests.count(name);
  // Requests of what can't be overcommitted must be its limits.
  requests.count(name, gpu);
  if (gpu === undefined) return {};
  return { gpu, ...(gpu > 0 && name !== 'nvidia.com/gpu' && { gpuResource: name }) };
}

/** CPU and memory of it: the one as it is requested, the other as it is limited; what differs goes to podTemplate. */
export function processingOf(resources: Fields, kind: KindSchema): Resources {
  const schema = schemaOf(kind, 'spec.resources').properties?.['cpu'] ?? {};
  const take = (from: 'limits' | 'requests', name: string): Json | undefined => {
    const value = resources.at(from).peek(name);
    if (typeof value !== 'number' && typeof value !== 'string') return undefined;
    if (/^0+(?:\.0+)?\D*$/.test(String(value))) return undefined;
    const amount = typeof value === 'number' ? (Number.isInteger(value) ? value : String(value)) : value;
    if (structureProblems(schema, amount, '').length > 0) return undefined;
    resources.at(from).take(name);
    return amount;
  };
  const [cpuLimit, cpuRequest] = [take('limits', 'cpu'), take('requests', 'cpu')];
  const [memoryLimit, memoryRequest] = [take('limits', 'memory'), take('requests', 'memory')];
  if (memoryLimit === undefined && memoryRequest !== undefined) {
    resources.note('requests.memory', 'is the limit as well: no more than this is available');
  }
  const others = (from: 'limits' | 'requests') =>
    resources
      .at(from)
      .names.filter((name) => !resources.at(from).isHandled(name))
      .map((name) => [name, take(from, name)]);
  const extra = (from: 'limits' | 'requests', own: readonly (readonly [string, Json | undefined])[]) =>
    Object.fromEntries([...own, ...others(from)].filter(([, value]) => value !== undefined));
  const limits = extra('limits', [['cpu', cpuLimit]]);
  const requests = extra('requests', [
    ['memory', memoryLimit === undefined || isSame(memoryLimit, memoryRequest) ? undefined : memoryRequest],
  ]);
  const template = {
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
  return {
    own: {
      ...(given('cpu', cpuRequest ?? cpuLimit) as Record<string, Json>),
      ...(given('memory', memoryLimit ?? memoryRequest) as Record<string, Json>),
    },
    template: Object.keys(template).length === 0 ? {} : { resources: template },
  };
}
