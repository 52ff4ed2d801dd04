import { shortHash } from '../../../../constructs/parts/weights/key.ts';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { Query, Answer } from '../../../../operator/engine/api/queries.ts';
import { namedBy } from '../../../../operator/engine/api/identity.ts';
import type { Snapshot } from '../../../../operator/engine/api/kind.ts';
import type { ObservedChild } from '../../../../operator/engine/api/observed.ts';
import type { Manifest } from '../../../../constructs/workload.ts';
import { isDestructive, makePlan } from '../../../../operator/engine/plan/plan.ts';
import type { DesiredChild } from '../../../../operator/engine/plan/plan.ts';
import { modelServing } from '../../../../operator/kinds/model-serving/index.ts';
import type { ModelServingResource, ModelServingState } from '../../../../operator/kinds/model-serving/index.ts';
import { FETCH_SECONDS, fetched, isReady, observedPod } from './simulated-pods.ts';
import type { Fate, Pod } from './simulated-pods.ts';
import { START, resourceOf, snapshotOf } from './support.ts';
import { decided } from '../../../support/decided.ts';

interface Live {
  readonly manifest: Manifest;
  readonly digest: string;
  readonly createdAt: number;
  generation: number;
}

/**
 * A small model of a cluster, in steps of a second: what the API server, the Job and Deployment controllers and the
 * kubelet make of the children. Plans are those of the engine, and the children those of the construct.
 */
export class Simulation implements Fate {
  readonly missing = new Set<string>();
  readonly broken = new Set<string>();
  /** Requests that each pod has, as long as it is asked. */
  inFlight = 0;
  resource: ModelServingResource;
  now = START;
  /** How often the status was written. */
  writes = 0;
  /** The phases that it went through. */
  readonly phases: string[] = [];
  isReleased = false;
  readonly #live = new Map<string, Live>();
  #pods: Pod[] = [];
  #queries: readonly Query[] = [];
  #names = 0;

  constructor(spec: ModelServingSpec) {
    this.resource = resourceOf(spec);
  }

  get status(): ModelServingStatus {
    return this.resource.status ?? {};
  }

  /** Whether the endpoint answers. */
  get answers(): boolean {
    return this.#live.has('Service/llama') && this.#readyServers().length > 0;
  }

  names(kind: string): readonly string[] {
    return [...this.#live.keys()].filter((key) => key.startsWith(`${kind}/`)).map((key) => key.slice(kind.length + 1));
  }

  /** An object as it was last applied. */
  manifest(kind: string, name: string): Manifest | undefined {
    return this.#live.get(`${kind}/${name}`)?.manifest;
  }

  /** How many pods were made so far. */
  get podsMade(): number {
    return this.#names;
  }

  edit(spec: ModelServingSpec): void {
    const { metadata } = this.resource;
    this.resource = { ...this.resource, spec, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } };
  }

  delete(): void {
    const { metadata } = this.resource;
    this.resource = { ...this.resource, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  }

  /** Lets time pass; after each second `look` may look. */
  run(seconds: number, observe: () => void = () => {}): void {
    for (let second = 0; second < seconds && !this.isReleased; second++) {
      this.now += 1000;
      this.#control();
      this.pass();
      observe();
    }
  }

  /** Runs until something holds; fails where it does not within ten minutes. */
  until(holds: () => boolean, observe?: () => void): void {
    for (let second = 0; second < 600 && !holds(); second++) this.run(1, observe);
    if (!holds()) throw new Error(`after ten minutes: ${JSON.stringify(this.status, null, 1)}`);
  }

  /** One pass of the engine. */
  pass(): void {
    const result = decided(modelServing, this.#observe(), this.now);
    const desired = rendered(this.resource, result.state);
    const plan = makePlan({
      desired,
      observed: this.#observe().children,
      ownerUid: this.resource.metadata.uid,
      replace: result.replace ?? [],
      deleting: this.resource.metadata.deletionTimestamp !== undefined,
    });
    if (isDestructive(plan)) this.#write(result.status);
    for (const step of plan.steps) {
      if (step.action === 'create' || step.action === 'apply') this.#apply(step.child.manifest, step.child.digest);
      else this.#remove(`${step.live.kind}/${step.live.name}`);
    }
    const after = decided(modelServing, this.#observe(), this.now);
    this.#write(after.status);
    this.#queries = after.queries;
    this.isReleased = after.release === true && plan.leaving.length === 0;
  }

  #write(status: ModelServingStatus): void {
    if (JSON.stringify(status) === JSON.stringify(this.resource.status)) return;
    this.resource = { ...this.resource, status };
    this.writes += 1;
    if (status.phase !== undefined && this.phases.at(-1) !== status.phase) this.phases.push(status.phase);
  }

  #apply(manifest: Manifest, digest: string): void {
    const key = `${manifest.kind}/${manifest.metadata.name}`;
    const { createdAt = this.now, generation = 0 } = this.#live.get(key) ?? {};
    this.#live.set(key, { manifest, digest, createdAt, generation: generation + 1 });
  }

  #remove(key: string): void {
    this.#live.delete(key);
    if (key === 'Deployment/llama') this.#pods = this.#pods.filter(({ component }) => component !== 'server');
    this.#pods = this.#pods.filter(({ of }) => `Job/${of}` !== key);
  }

  /** What controllers do in a second. */
  #control(): void {
    for (const [key, { manifest }] of this.#live) {
      const name = key.slice('Job/'.length);
      if (key.startsWith('Job/') && !this.#pods.some(({ of }) => of === name)) this.#start('fetcher', name, manifest);
    }
    const deployment = this.#live.get('Deployment/llama');
    if (deployment) this.#roll(deployment.manifest);
  }

  #roll(manifest: Manifest): void {
    const spec = manifest['spec'] as {
      replicas?: number;
      strategy: { rollingUpdate: { maxSurge: number; maxUnavailable: number } };
      template: unknown;
    };
    const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate;
    const wanted = spec.replicas ?? 1;
    const hash = shortHash(JSON.stringify(spec.template));
    const servers = this.#pods.filter(({ component }) => component === 'server');
    const newest = servers.filter(({ of }) => of === hash);
    const old = servers.filter(({ of }) => of !== hash);
    const ready = this.#readyServers();
    const victim =
      old.find((pod) => !ready.includes(pod)) ?? (ready.length > wanted - maxUnavailable ? old[0] : undefined);
    if (victim) this.#pods = this.#pods.filter((pod) => pod !== victim);
    else if (newest.length > wanted) {
      const surplus = newest.find((pod) => !ready.includes(pod)) ?? newest[0];
      this.#pods = this.#pods.filter((pod) => pod !== surplus);
    }
    const missing = wanted - newest.length;
    const room = wanted + maxSurge - servers.length + (victim ? 1 : 0);
    for (let i = 0; i < Math.min(missing, room); i++) this.#start('server', hash, manifest);
  }

  #start(component: Pod['component'], of: string, template: Manifest): void {
    this.#names += 1;
    this.#pods.push({ name: `${component}-${this.#names}`, component, of, template, createdAt: this.now });
  }

  #readyServers(): readonly Pod[] {
    return this.#pods.filter((pod) => pod.component === 'server' && isReady(pod, this));
  }

  #observe(): Snapshot<ModelServingResource> {
    const answers = this.#queries.map((query) => [query.id, this.#answer(query)] as const);
    return snapshotOf({
      resource: this.resource,
      children: [...this.#live].map(([key, live]) => this.#child(key, live)),
      pods: this.#pods.map((pod) => observedPod(pod, this)),
      answers: Object.fromEntries(answers),
    });
  }

  #child(key: string, { manifest, digest, createdAt, generation }: Live): ObservedChild {
    const status = this.#statusOf(key, manifest);
    const { desired = 0, updatedReplicas = 0, replicas = 0, readyReplicas = 0 } = status;
    const isDeployment = manifest.kind === 'Deployment';
    const isRolled = updatedReplicas >= desired && replicas <= updatedReplicas && readyReplicas >= desired;
    return {
      apiVersion: manifest.apiVersion,
      kind: manifest.kind,
      namespace: 'models',
      name: manifest.metadata.name,
      uid: `uid-of-${key}-${createdAt}`,
      resourceVersion: '1',
      ownerUid: this.resource.metadata.uid,
      createdAt,
      deleting: false,
      digest,
      owns: [],
      ready: isDeployment ? isRolled : manifest.kind !== 'Job' || this.#fetched(key) === 'Complete',
      slice: {
        generation,
        annotations: manifest.metadata.annotations ?? {},
        spec: { replicas: desired, storageClassName: 'fast' },
        status: { ...status, observedGeneration: generation },
      },
    };
  }

  #fetched(key: string): 'Complete' | 'Failed' | undefined {
    const pod = this.#pods.find(({ of }) => `Job/${of}` === key);
    return pod && fetched(pod, this);
  }

  #statusOf(key: string, manifest: Manifest) {
    if (manifest.kind === 'PersistentVolumeClaim') return { phase: 'Bound' };
    if (manifest.kind === 'Job') {
      const type = this.#fetched(key);
      const pod = this.#pods.find(({ of }) => `Job/${of}` === key);
      const lastTransitionTime = new Date((pod?.createdAt ?? this.now) + FETCH_SECONDS * 1000).toISOString();
      return type === undefined
        ? {}
        : { conditions: [{ type, status: 'True', reason: type, message: '', lastTransitionTime }] };
    }
    if (manifest.kind !== 'Deployment') return {};
    const spec = manifest['spec'] as { replicas?: number; template: unknown };
    const servers = this.#pods.filter(({ component }) => component === 'server');
    const newest = servers.filter(({ of }) => of === shortHash(JSON.stringify(spec.template)));
    const readyReplicas = this.#readyServers().length;
    return {
      desired: spec.replicas ?? 1,
      replicas: servers.length,
      updatedReplicas: newest.length,
      readyReplicas,
      availableReplicas: readyReplicas,
    };
  }

  #answer(query: Query): Answer {
    const at = this.now;
    if (query.type === 'secret') return { at, type: 'secret', exists: true, hash: 'one', missingKeys: [] };
    if (query.type === 'podLog') return { at, type: 'podLog', text: '{"bytes":4,"totalBytes":9}' };
    if (query.type === 'served') return { at, type: 'served', served: true };
    return { at, type: 'podMetrics', values: { 'vllm:num_requests_running': this.inFlight }, closed: false };
  }
}

const renderings = new Map<string, readonly DesiredChild[]>();

/** What the construct gives, each thing once: most passes want what the pass before did. */
function rendered(resource: ModelServingResource, state: ModelServingState): readonly DesiredChild[] {
  const key = JSON.stringify([resource.spec, state]);
  const known = renderings.get(key);
  if (known) return known;
  const children = modelServing.render(resource, state);
  const desired = children.map((child) => ({
    ...child,
    object: namedBy(child.manifest),
    digest: JSON.stringify(child.manifest),
  }));
  renderings.set(key, desired);
  return desired;
}
