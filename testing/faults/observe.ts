import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from './proxy/exchange.ts';
import { isCarriedOut, type Passed } from './proxy/proxy.ts';
import type { World } from './world.ts';

/** How often each object was created and deleted by the operator, as the server carried it out. Events aside. */
export function changesOf({ proxy }: Pick<World, 'proxy'>): Readonly<Record<string, number>> {
  const changes: Record<string, number> = {};
  const passed = proxy.log.filter(isCarriedOut);
  const generated = new Map(
    passed.flatMap(({ written: { name, generateName } = {} }) =>
      name === undefined || generateName === undefined ? [] : [[name, `${generateName}*`] as const],
    ),
  );
  for (const { exchange, status, written } of passed) {
    if (exchange.resource === 'events') continue;
    const word = exchange.verb === 'delete' ? 'delete' : status === 201 ? 'create' : undefined;
    if (word === undefined) continue;
    const name = exchange.name ?? written?.name ?? '*';
    const key = `${word} ${exchange.resource}/${generated.get(name) ?? stableName(exchange, name)}`;
    changes[key] = (changes[key] ?? 0) + 1;
  }
  return changes;
}

/** How an operator talks with the API server, from which follows what can go wrong there. */
export interface Traffic {
  /** The resources that it watches, and of which it was told an object. */
  readonly watched: readonly string[];
  /** How often it opened a watch. */
  readonly watches: number;
  /** How often it read an object, or a list that is not streamed. */
  readonly reads: number;
  /** Whether it has lists streamed, as watches. */
  readonly streamsLists: boolean;
  /** Whether it takes lists that may be old: streamed ones, and those from version 0. */
  readonly takesOldLists: boolean;
}

export function trafficOf({ proxy }: Pick<World, 'proxy'>): Traffic {
  const asked = proxy.log.map(({ exchange }) => exchange);
  const watches = asked.filter(({ verb }) => verb === 'watch');
  const lists = asked.filter(({ verb }) => verb === 'list');
  const watched = new Set(watches.map(({ resource = '' }) => resource));
  const streamsLists = watches.some(({ query }) => query.has('sendInitialEvents'));
  return {
    watched: [...proxy.reported].filter((resource) => watched.has(resource)).toSorted(),
    watches: watches.length,
    reads: lists.length + asked.filter(({ verb }) => verb === 'get').length,
    streamsLists,
    takesOldLists: streamsLists || lists.some(({ query }) => query.get('resourceVersion') === '0'),
  };
}

/**
 * The writes among some requests that the server carried out. How often an event was told again is written a minute
 * after it was first told, whatever happens meanwhile.
 */
export const writesIn = (log: readonly Passed[]): readonly string[] =>
  log
    .filter(isCarriedOut)
    .filter(({ exchange: { verb, resource } }) => !(resource === 'events' && verb === 'patch'))
    .map(({ exchange: { verb, path } }) => `${verb} ${path}`);

/** Pods of one template differ by chance, and names with a time in them always do. */
const stableName = ({ resource }: Exchange, name: string): string =>
  resource === 'pods' ? name.replace(/-[a-z0-9]{5}$/, '') : name.replace(/\d{8,}/g, '<number>');

/** More often in a second than this no request is repeated by an operator that backs off. */
const OFTEN = 20;

/** Requests that were sent again and again without a pause. Events aside: those of one object share a path. */
export function hotLoopsOf({ proxy }: Pick<World, 'proxy'>): readonly string[] {
  const requests = proxy.log.filter(
    ({ exchange: { resource, verb } }) => !(resource === 'events' && verb === 'create'),
  );
  const seconds = Map.groupBy(
    requests,
    ({ exchange, at }) => `${exchange.verb} ${exchange.path} ${Math.floor(at / 1000)}`,
  );
  const worst = new Map<string, number>();
  for (const [what, { length }] of seconds) {
    const request = what.slice(0, what.lastIndexOf(' '));
    if (length > OFTEN) worst.set(request, Math.max(length, worst.get(request) ?? 0));
  }
  return [...worst].map(([request, times]) => `${request}: ${times} times in a second`);
}

/** Writes that changed nothing: the server answered with the version that it had answered with before. */
export function vainWritesOf({ proxy }: Pick<World, 'proxy'>): readonly string[] {
  const versions = new Map<string, string>();
  return proxy.log.flatMap(({ exchange: { write, verb, resource, name, path }, written }) => {
    const { version } = written ?? {};
    if (!write || verb === 'delete' || version === undefined) return [];
    const object = `${resource}/${name}`;
    const isVain = versions.get(object) === version;
    versions.set(object, version);
    return isVain ? [`${verb} ${path} changed nothing`] : [];
  });
}

export interface UntilOptions {
  /** @default 60000 */
  readonly timeoutMs?: number;
  /** Why it can't be expected any more; undefined where it can. */
  readonly hopeless?: () => string | undefined;
}

/** Between two questions. */
const ASK_MS = 200;

/** Asks again until there is an answer. A question that fails is asked again, and its error is told at the end. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  { timeoutMs = 60_000, hopeless = () => undefined }: UntilOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let trouble = '';
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      trouble = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    const reason = hopeless();
    if (reason !== undefined) throw new Error(`${reason}, while the campaign waited for ${what}`);
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}${trouble}`);
    await sleep(ASK_MS);
  }
}

/** Waits until the operator has written nothing for `quietMs`; not forever, since it may never be quiet. */
export async function quiet(world: World, quietMs: number, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let writes = -1;
  while (writes !== world.proxy.writes && performance.now() < deadline) {
    writes = world.proxy.writes;
    await sleep(quietMs);
  }
}

/** Whether the operator has asked for the objects of a type, after so many requests. */
export const hasAskedSince = (requests: number, plural: string, { proxy }: Pick<World, 'proxy'>): boolean =>
  proxy.log
    .slice(requests)
    .some(({ exchange: { resource, verb } }) => resource === plural && (verb === 'list' || verb === 'watch'));
