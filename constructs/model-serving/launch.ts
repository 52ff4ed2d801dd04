import { SETTLE_SECONDS, drainByMetrics, drainBySleep } from '../parts/pod/index.ts';
import { uniqueVariables } from '../parts/objects/index.ts';
import type { InFlight, ProbeAction } from '../parts/pod/index.ts';
import type { EnvVar, Lifecycle } from '../parts/objects/index.ts';
import { companionPath, companionsOf, VOCABULARY_VARIABLE } from '../parts/weights/index.ts';
import type { Engine, GroupMember } from './engine.ts';
import type { IpFamily } from './engines.ts';
import { ENGINE_TABLE } from './engine.table.ts';
import { computesOn, namedImageOf, releaseOf } from './images.ts';
import type { ModelServingSpec } from './spec.ts';

/** What the table says of the engine of a spec. */
export const engineOf = (spec: ModelServingSpec): Engine => ENGINE_TABLE[spec.engine.type];

/** The name that clients ask for. */
export const servedNameOf = (name: string, spec: ModelServingSpec): string => spec.model.name ?? name;

/** The port that the server and the Service listen on. */
export const portOf = (spec: ModelServingSpec): number => spec.engine.port ?? engineOf(spec).port;

/** The family of the addresses that the server listens on. */
const ipFamilyOf = ({ engine }: ModelServingSpec): IpFamily => engine.ipFamily ?? 'IPv4';

/** The base URL that clients inside the cluster use: `http://llama.models.svc:8000/v1`. */
export const endpointOf = (name: string, namespace: string, spec: ModelServingSpec): string =>
  `http://${name}.${namespace}.svc:${portOf(spec)}${engineOf(spec).apiPath}`;

/**
 * The image that the engine runs.
 *
 * @param pinned - what was pinned when the engine was first chosen
 */
export function engineImageOf(spec: ModelServingSpec, pinned?: string): string {
  const image = spec.engine.image ?? pinned ?? releaseOf(spec) ?? namedImageOf(spec);
  if (image === undefined) throw new Error(`engine ${spec.engine.type} has no image of its own: set engine.image`);
  return image;
}

/**
 * Where and under which names the pods tell how many requests are in flight; absent where the engine does not tell, so
 * that a drain can only wait.
 */
export function inFlightOf(spec: ModelServingSpec): InFlight | undefined {
  const { metrics, countsOwnCopies = false } = engineOf(spec);
  if (countsOwnCopies && isGrouped(spec) && splitOf(spec).data > 1) return undefined;
  const { running, waiting } = metrics?.names ?? {};
  if (!metrics || running === undefined || waiting === undefined) return undefined;
  return { port: metrics.port ?? portOf(spec), path: metrics.path, metrics: [running, waiting] };
}

/** Where the engine finds what comes with the model. */
const companionsFor = ({ model: { tokenizer, draft } }: ModelServingSpec) => ({
  ...(tokenizer && { tokenizerPath: companionPath('tokenizer') }),
  ...(draft && { draft: { path: companionPath('draft'), method: draft.method, tokens: draft.tokens } }),
});

/** Pods of one replica. */
export const nodesOf = ({ nodes = 1 }: ModelServingSpec): number => nodes;

/** Whether a replica is a group of pods, which a LeaderWorkerSet keeps together. */
export const isGrouped = (spec: ModelServingSpec): boolean => nodesOf(spec) > 1;

/** How the model is split: over the GPUs of a pod, and then over the pods, unless the spec says it. */
const splitOf = (spec: ModelServingSpec) =>
  spec.parallelism ?? { tensor: Math.max(1, spec.resources.gpu), pipeline: nodesOf(spec), data: 1, expert: false };

/** What the LeaderWorkerSet's controller puts before all other variables of a container (LeaderWorkerSet 0.9.0, pod_utils.go). */
const LEADER_ADDRESS = '$(LWS_LEADER_ADDRESS)';
const INDEX_IN_GROUP = '$(LWS_WORKER_INDEX)';

const memberOf = (spec: ModelServingSpec, role: GroupMember['role']): GroupMember => ({
  size: nodesOf(spec),
  ranksPerPod: Math.max(1, spec.resources.gpu),
  role,
  leaderAddress: LEADER_ADDRESS,
  index: role === 'leader' ? '0' : INDEX_IN_GROUP,
});

/**
 * The command line of the server.
 *
 * @param role - of a pod of a replica that has several
 */
export function commandOf(
  name: string,
  spec: ModelServingSpec,
  modelPath: string,
  role?: GroupMember['role'],
): { readonly command?: readonly string[]; readonly args?: readonly string[] } {
  const engine = engineOf(spec);
  const command = spec.engine.command ?? engine.command;
  const args = [
    ...engine.args({
      modelPath,
      ...companionsFor(spec),
      servedName: servedNameOf(name, spec),
      port: portOf(spec),
      ipFamily: ipFamilyOf(spec),
      ...splitOf(spec),
      ...(role && { group: memberOf(spec, role) }),
      drainSeconds: spec.drain.timeoutSeconds,
      isOwnOnCpus: namedImageOf(spec) === undefined && computesOn(spec) === 'cpu',
    }),
    ...(spec.engine.args ?? []),
  ];
  return { ...(command && { command }), ...(args.length > 0 && { args }) };
}

/** The variables of the server that no user sets. */
export const ownVariables = (
  name: string,
  spec: ModelServingSpec,
  modelPath: string,
  home: readonly EnvVar[],
): readonly EnvVar[] => [
  ...home,
  { name: 'MODEL_NAME', value: servedNameOf(name, spec) },
  { name: 'MODEL_PATH', value: modelPath },
  ...('vocabulary' in companionsOf(spec.model)
    ? [{ name: VOCABULARY_VARIABLE, value: companionPath('vocabulary') }]
    : []),
  ...engineOf(spec).env,
  ...(splitOf(spec).data > 1 ? (engineOf(spec).copiesEnv ?? []) : []),
];

/** The variables of the server: ours, then those of all containers, then those of the engine, by name. */
export const envOf = (
  name: string,
  spec: ModelServingSpec,
  modelPath: string,
  home: readonly EnvVar[],
  role?: GroupMember['role'],
): EnvVar[] =>
  uniqueVariables([
    ...ownVariables(name, spec, modelPath, home),
    ...(role === undefined ? [] : (engineOf(spec).groupEnv ?? [])),
    ...(spec.env ?? []),
    ...(spec.engine.env ?? []),
  ]);

/** What the probes ask. */
export function healthOf(
  name: string,
  spec: ModelServingSpec,
): { readonly ready: ProbeAction; readonly alive: ProbeAction } {
  const { healthPath } = spec.engine;
  const paths =
    healthPath === undefined
      ? engineOf(spec).health?.(servedNameOf(name, spec))
      : { ready: healthPath, alive: healthPath };
  if (!paths) return { ready: { tcpSocket: { port: 'http' } }, alive: { tcpSocket: { port: 'http' } } };
  return {
    ready: { httpGet: { path: paths.ready, port: 'http' } },
    alive: { httpGet: { path: paths.alive, port: 'http' } },
  };
}

/** A server on addresses of IPv6 need not listen on 127.0.0.1: asyncio sets IPV6_V6ONLY, under SGLang. */
const LOOPBACK: Readonly<Record<IpFamily, string>> = { IPv4: '127.0.0.1', IPv6: '[::1]' };

/** A pod that counts the requests of its own copies alone can't tell when those of the others have ended. */
function drainWayOf(spec: ModelServingSpec): Engine['drain'] {
  const { drain, countsOwnCopies = false } = engineOf(spec);
  return countsOwnCopies && nodesOf(spec) > 1 && splitOf(spec).data > 1 ? 'sleep' : drain;
}

/** How the server lets requests in flight end before it is told to stop. */
export function lifecycleOf(spec: ModelServingSpec): Lifecycle | undefined {
  const seconds = spec.drain.timeoutSeconds;
  if (seconds === 0) return undefined;
  const inFlight = inFlightOf(spec);
  switch (drainWayOf(spec)) {
    case 'poll':
      return inFlight ? drainByMetrics(inFlight, LOOPBACK[ipFamilyOf(spec)], seconds) : drainBySleep(seconds);
    case 'self':
      return drainBySleep(Math.min(SETTLE_SECONDS, seconds));
    case 'sleep':
      return drainBySleep(seconds);
  }
}
