import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../constructs/schema/json.ts';
import type { Kind } from '../../operator/engine/api/kind.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import type { CommonStatus } from '../../operator/engine/api/resource.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { problemsOf, type Chain } from './chains.ts';
import { compare, pathOf, resourceOf } from './judge.ts';
import type { Mutation } from './mutations.ts';
import { convergenceOf, type Live, type Convergence } from './oracle.ts';
import { stepsOf } from './places.ts';
import type { Watcher } from './watcher.ts';

/** How long a resource may take to follow its spec, on a busy machine. */
const STEP_MS = 90_000;

/** How long a condition must say so: the status of a new generation may first tell what is wrong with the last one. */
const REPORTED_MS = 1500;

/** How long it must stay as it is at the end of a chain. */
const REST_MS = 1000;

/** The path of a field of a child, in the words of the API server. */
const FIELD = /\b(spec|metadata)[.:[]/;

/** What happened to one mutation. */
export interface Step {
  readonly kind: string;
  readonly home: string;
  readonly mutation: string;
  readonly outcome: 'converged' | 'reported' | 'ended' | 'refused' | 'failed';
  /** What a condition told, or what went wrong. */
  readonly message: string;
}

export interface ChainContext {
  readonly admin: KubeClient;
  readonly watcher: Watcher;
  readonly kind: Kind;
  readonly namespace: string;
}

/** Leads one resource through a chain, and back. */
export async function runChain(chain: Chain, context: ChainContext): Promise<readonly Step[]> {
  const run = new ChainRun(chain, context);
  await run.lead();
  return run.steps;
}

class ChainRun {
  readonly steps: Step[] = [];
  readonly #chain: Chain;
  readonly #context: ChainContext;
  readonly #home: JsonObject;
  #spec: JsonObject;
  #resources = 0;
  #generation = 1;

  constructor(chain: Chain, context: ChainContext) {
    this.#chain = chain;
    this.#context = context;
    this.#home = chain.subject.homes[chain.home] ?? {};
    this.#spec = this.#home;
  }

  async lead(): Promise<void> {
    await this.#begin();
    for (const mutation of this.#chain.mutations) await this.#mutate(mutation);
    await this.#revert();
    const { admin, kind } = this.#context;
    await admin.delete(kind.type, this.#live);
  }

  get #live(): Live {
    const { kind, namespace } = this.#context;
    return {
      subject: this.#chain.subject,
      kind,
      namespace,
      name: `mutated-${this.#resources}`,
      generation: this.#generation,
    };
  }

  /** A resource of the first spec; one that has ended, as a training may, can't be led on. */
  async #begin(): Promise<void> {
    const { admin, kind, namespace } = this.#context;
    if (this.#resources > 0) await admin.delete(kind.type, this.#live);
    this.#resources += 1;
    this.#generation = 1;
    this.#spec = this.#home;
    const body = resourceOf(this.#chain.subject, namespace, this.#live.name, this.#home);
    await admin.raw('POST', pathOf(this.#chain.subject, namespace), { body });
    await this.#settle('the first spec', ['converged'], true);
  }

  /** On top of what came before; where that leaves no room for it, on the first spec. */
  async #mutate(mutation: Mutation): Promise<void> {
    const before = this.#spec;
    for (const spec of [mutation.of(before), mutation.of(this.#home)]) {
      if (!(await this.#replace(mutation.name, spec, this.#spec))) continue;
      const found = await this.#settle(mutation.name, ['converged', 'reported', 'ended']);
      if (found.state === 'ended' || found.state === 'not yet') await this.#begin();
      if (found.state !== 'reported') return;
      // What is told may be for lack of what an earlier mutation removed: the first spec has all.
      await this.#recover(mutation, found.message, before);
    }
  }

  /** After a spec that the API server refuses a child of, the one before must come back. */
  async #recover({ path, name }: Mutation, reported: string, before: JsonObject): Promise<void> {
    if (!FIELD.test(reported) && !namesOf(path).some((field) => reported.includes(field)))
      this.#log(name, 'failed', `no field is told: ${reported}`);
    const back = problemsOf(this.#chain.subject, before, this.#spec).length === 0 ? before : undefined;
    if (back === undefined) return this.#begin();
    await this.#replace('back to the spec before', back, this.#spec);
    const found = await this.#settle('back to the spec before', ['converged']);
    if (found.state !== 'converged') await this.#begin();
  }

  /**
   * One that has ended meanwhile, as where its ranks were told to be quick at last, stays as it is. A volume that was made
   * smaller, with another model before it, can't grow back, since its class does not let volumes grow: that is told, and the
   * first spec begins again.
   */
  async #revert(): Promise<void> {
    if (!(await this.#replace('back to the first spec', this.#home, this.#spec))) return;
    const found = await this.#settle('back to the first spec', ['converged', 'ended', 'reported'], true);
    if (found.state === 'ended') return;
    if (found.state === 'reported') {
      if (!found.message.includes('storage.size')) this.#log('back to the first spec', 'failed', found.message);
      await this.#begin();
    }
    await sleep(REST_MS);
    // Its status may just have learned of a fetch that is over, of which its children follow.
    await this.#settle('at rest', ['converged'], true);
  }

  /** Replaces the spec as `kubectl replace` does; false where that is refused, by parseSpec in the same words. */
  async #replace(name: string, spec: JsonObject, old: JsonObject): Promise<boolean> {
    const { admin, namespace } = this.#context;
    const { subject } = this.#chain;
    const answer = admin.raw('PATCH', `${pathOf(subject, namespace)}/${this.#live.name}`, {
      query: { fieldValidation: 'Strict' },
      contentType: 'application/json-patch+json',
      body: [{ op: 'replace', path: '/spec', value: spec }],
    });
    const { accepted, failures } = await compare(subject, answer, spec, old);
    if (accepted) {
      this.#spec = spec;
      this.#generation = ((await answer) as KubeObject).metadata.generation ?? 0;
    }
    if (failures.length > 0) this.#log(name, 'failed', failures.join('; '));
    else if (!accepted) this.#log(name, 'refused');
    return accepted;
  }

  /** Waits until it stands in one of these ways to its spec. */
  async #settle(name: string, allowed: readonly Convergence['state'][], strict = false): Promise<Convergence> {
    const { watcher, namespace } = this.#context;
    const deadline = performance.now() + STEP_MS;
    let since = performance.now();
    for (;;) {
      const found = convergenceOf(watcher, this.#live, this.#spec, strict);
      const now = performance.now();
      if (found.state !== 'reported') since = now;
      const isLasting = found.state !== 'reported' || now - since >= REPORTED_MS;
      if (allowed.includes(found.state) && isLasting) return this.#record(name, found);
      if (now > deadline) return this.#record(name, { state: 'not yet', why: `${reasonOf(found)}; ${this.#seen}` });
      await watcher.changed(namespace);
    }
  }

  /** What the resource says of itself, and what is there of it: why it is not yet as it should be. */
  get #seen(): string {
    const { watcher, kind, namespace } = this.#context;
    const { name } = this.#live;
    const { conditions = [] } = (watcher.resource(kind, namespace, name)?.['status'] ?? {}) as CommonStatus;
    const children = watcher.children(kind, namespace, name).map(({ kind: of, metadata, status }) => {
      const leaving = metadata.deletionTimestamp === undefined ? '' : ' (being deleted)';
      return `${of}/${metadata.name}${leaving} ${JSON.stringify(status ?? {})}`;
    });
    return `conditions: ${JSON.stringify(conditions)}; children: ${children.join(', ')}`;
  }

  #record(name: string, found: Convergence): Convergence {
    const outcome = found.state === 'not yet' ? 'failed' : found.state;
    this.#log(name, outcome, reasonOf(found));
    return found;
  }

  #log(mutation: string, outcome: Step['outcome'], message = ''): void {
    const { subject, home } = this.#chain;
    this.steps.push({ kind: subject.kind.kind, home, mutation, outcome, message });
  }
}

function reasonOf(found: Convergence): string {
  if (found.state === 'reported') return found.message;
  if (found.state === 'not yet') return found.why;
  return found.state === 'ended' ? 'it has ended' : '';
}

/** The fields on the way to a property, less those that every path has. */
const namesOf = (path: string): readonly string[] =>
  stepsOf(path).filter((step) => !['[]', '{}', 'spec', 'podTemplate'].includes(step));
