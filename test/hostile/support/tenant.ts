import * as fc from 'fast-check';
import { pooled } from '../../../bench/pool.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../operator/kube/client/types.ts';
import { tenantKinds } from './kinds.ts';
import { type Known, knownResources } from './known.ts';
import { changed, type HostileSpec, hostileSpec } from './specs.ts';

/** How many changes are tried at a time. */
const AT_ONCE = 8;

/** A resource that a hostile tenant has. */
export interface Held {
  readonly type: ResourceType;
  readonly name: string;
  /** The changes that the API server took, as paths; of a known one there are none. */
  readonly places: readonly string[];
}

/** A tenant who fills a namespace with what the API server lets through. */
export class HostileTenant {
  readonly #admin: KubeClient;
  readonly #namespace: string;
  readonly #specs: Iterator<HostileSpec>;
  #count = 0;
  readonly held: Held[] = [];
  /** What the API server refused. */
  refused = 0;

  /** @param seed - the same seed makes the same resources */
  constructor(admin: KubeClient, namespace: string, seed: number) {
    this.#admin = admin;
    this.#namespace = namespace;
    this.#specs = specsFrom(seed);
  }

  /** Makes the resources by which an operator was once stopped. */
  async makeKnown(port: number): Promise<void> {
    const types = Object.fromEntries(tenantKinds.map(({ type }) => [type.kind, type]));
    for (const known of knownResources(port)) {
      const type = types[known.kind];
      if (type === undefined) throw new Error(`there is no kind ${known.kind}`);
      await this.#makeFirst(type, known);
      this.held.push({ type, name: known.name, places: [] });
    }
  }

  /** Makes resources until there are so many. */
  async fill(most: number): Promise<void> {
    const missing = Array.from({ length: Math.max(0, most - this.held.length) }, () => this.#next());
    await pooled(missing.length, AT_ONCE, async (index) => {
      const { name, hostile } = missing[index]!;
      this.held.push(await this.#make(name, hostile));
    });
  }

  /** Deletes some of what is not known, the oldest first, and makes others instead. */
  async replace(count: number): Promise<void> {
    const most = this.held.length;
    const gone = this.held
      .filter(({ places, name }) => places.length > 0 && !name.startsWith('known-'))
      .slice(0, count);
    for (const each of gone) {
      this.held.splice(this.held.indexOf(each), 1);
      await this.#admin.delete(each.type, { namespace: this.#namespace, name: each.name });
    }
    await this.fill(most);
  }

  async get({ type, name }: Held): Promise<KubeObject> {
    return this.#admin.get(type, { namespace: this.#namespace, name });
  }

  async patch({ type, name }: Held, patch: object): Promise<void> {
    await this.#admin.patch(type, { namespace: this.#namespace, name }, patch);
  }

  #next(): { readonly name: string; readonly hostile: HostileSpec } {
    const { value, done } = this.#specs.next();
    if (done === true) throw new Error('there are no more specs');
    this.#count += 1;
    return { name: `h${this.#count}`, hostile: value };
  }

  async #makeFirst(type: ResourceType, { name, specs }: Known): Promise<void> {
    const errors: unknown[] = [];
    for (const spec of specs) {
      const error = await this.#create(type, name, spec, false);
      if (error === undefined) return;
      errors.push(error);
    }
    throw new AggregateError(errors, `the API server takes no form of ${name}: ${errors.map(String).join('\n')}`);
  }

  /** One change after the other, for as long as the API server takes what comes of it. */
  async #make(name: string, { kind: { type }, valid, changes }: HostileSpec): Promise<Held> {
    let spec: unknown = valid;
    const places: string[] = [];
    for (const change of changes) {
      const next = changed(spec, change);
      if ((await this.#create(type, name, next, true)) !== undefined) {
        this.refused += 1;
        continue;
      }
      spec = next;
      places.push(change.place.join('.'));
    }
    const error = await this.#create(type, name, spec, false);
    if (error !== undefined) throw error;
    return { type, name, places };
  }

  /** @returns why the API server refuses it */
  async #create(type: ResourceType, name: string, spec: unknown, dryRun: boolean): Promise<ApiError | undefined> {
    const metadata = { name, namespace: this.#namespace };
    const body = { apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec };
    try {
      await this.#admin.create(type, body, dryRun ? { dryRun: true } : {});
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error;
      throw error;
    }
  }
}

/** Specs of all kinds by turns, without end. */
function* specsFrom(seed: number): Generator<HostileSpec> {
  for (let round = 0; ; round += 1) {
    for (const kind of tenantKinds) {
      const [spec] = fc.sample(hostileSpec(kind), { numRuns: 1, seed: seed + round });
      if (spec !== undefined) yield spec;
    }
  }
}
