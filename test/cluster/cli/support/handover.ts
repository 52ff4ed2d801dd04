import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import type { Manifest } from '../../../../constructs/index.ts';
import { GROUP, VERSION } from '../../../../constructs/schema/kind.ts';
import type { Kind } from '../../../../operator/engine/api/kind.ts';
import type { KubeClient } from '../../../../operator/kube/client/client.ts';
import { TYPES } from '../../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../../operator/kube/client/types.ts';
import { trunnion, type CommandResult } from '../../../support/trunnion.ts';
import { kubectl } from '../../support/client.ts';
import { cluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

/** What a host that is not the operator does with manifests. */
export type StaticHost = (manifests: readonly Manifest[]) => Promise<void>;

/** The manifests of YAML documents. */
export const manifestsIn = (yaml: string): readonly Manifest[] =>
  parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);

/** A workload of a test that passes from host to host. */
export class Wanderer<Spec> {
  readonly admin: KubeClient;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;

  constructor(admin: KubeClient, kind: Kind, namespace: string, name: string) {
    this.admin = admin;
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
  }

  /** The custom resource. */
  resource(spec: Spec): Manifest {
    const metadata = { name: this.name, namespace: this.namespace };
    return { apiVersion: `${GROUP}/${VERSION}`, kind: this.kind.type.kind, metadata, spec };
  }

  /** What a static host makes of a spec. */
  async manifests(spec: Spec): Promise<readonly Manifest[]> {
    const { stdout } = await trunnion(['render', '-f', '-'], stringify(this.resource(spec)));
    return manifestsIn(stdout);
  }

  adopt(spec: Spec, ...flags: string[]): Promise<CommandResult> {
    return this.#command(stringify(this.resource(spec)), 'adopt', '-f', '-', ...flags);
  }

  adoptLive(...flags: string[]): Promise<CommandResult> {
    return this.#command('', 'adopt', this.#reference, '-n', this.namespace, ...flags);
  }

  release(...flags: string[]): Promise<CommandResult> {
    return this.#command('', 'release', this.#reference, '-n', this.namespace, ...flags);
  }

  plan(spec: Spec): Promise<CommandResult> {
    return this.#command(stringify(this.resource(spec)), 'plan', '-f', '-');
  }

  /** Waits until as many pods run as there are to be. */
  async hasPods(count: number): Promise<void> {
    await eventually(
      async () => {
        const phases = (await this.#pods()).map(({ status }) => status?.phase);
        expect(phases).toEqual(Array.from({ length: count }, () => 'Running'));
      },
      { timeout: 60_000 },
    );
  }

  /** All that must outlast a hand-over: generations, templates, and which objects and pods they are. */
  async identity(): Promise<unknown> {
    const pods = await this.#pods();
    return {
      objects: (await this.objects()).map(
        ({ kind, metadata, spec }) =>
          `${kind} ${metadata.name} ${metadata.uid} ${replicasIn(spec)} ${generation(kind, metadata)}`,
      ),
      pods: pods
        .map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.labels?.['pod-template-hash']}`)
        .sort(),
    };
  }

  /** The objects of the workload, under every host. */
  async objects(): Promise<readonly KubeObject[]> {
    const labelSelector = `app.kubernetes.io/instance=${this.name}`;
    const lists = await Promise.all(
      this.kind.childTypes
        .filter(({ optional = false }) => !optional)
        .map(async (type) => {
          const { items } = await this.admin.list(type, { namespace: this.namespace, labelSelector });
          return items.map((item) => ({ ...item, kind: type.kind }));
        }),
    );
    return lists.flat();
  }

  /**
   * Checks that each object is the operator's, and nobody else's.
   *
   * @param retained - whether a volume of weights is kept when the resource goes, and so has no owner
   */
  async belongsToOperator({ retained }: { readonly retained: boolean }): Promise<void> {
    for (const object of await this.#marked()) {
      expect(object).toEqual({
        ...object,
        managedBy: 'trunnion',
        owners: object.kind === 'PersistentVolumeClaim' && retained ? [] : [`${this.kind.type.kind} ${this.name}`],
        fieldManagers: ['trunnion Apply'],
      });
    }
  }

  /** Checks that no object is the operator's any more. */
  async belongsToNobody(): Promise<void> {
    for (const object of await this.#marked()) {
      expect(object).toEqual({
        ...object,
        managedBy: undefined,
        owners: [],
        fieldManagers: ['trunnion-released Update'],
      });
    }
  }

  get #reference(): string {
    return `${this.kind.type.kind.toLowerCase()}/${this.name}`;
  }

  async #marked() {
    const objects = await this.objects();
    expect(objects.length).toBeGreaterThan(3);
    return objects.map(({ kind, metadata: { name, labels, ownerReferences = [], managedFields = [] } }) => ({
      kind,
      name,
      managedBy: labels?.['app.kubernetes.io/managed-by'],
      owners: ownerReferences.map((owner) => `${owner.kind} ${owner.name}`),
      fieldManagers: managedFields
        .filter(({ subresource, fieldsV1 }) => subresource === undefined && hasMark(fieldsV1))
        .map(({ manager, operation }) => `${manager} ${operation}`),
    }));
  }

  async #pods(): Promise<readonly Pod[]> {
    const labelSelector = `app.kubernetes.io/instance=${this.name},app.kubernetes.io/component!=fetcher`;
    return (await this.admin.list(TYPES.pod, { namespace: this.namespace, labelSelector })).items;
  }

  #command(input: string, ...args: string[]): Promise<CommandResult> {
    return trunnion([...args, '--kubeconfig', cluster().kubeconfig], input);
  }
}

type Pod = KubeObject & { readonly status?: { readonly phase?: string } };

const hasMark = (fields: unknown): boolean => JSON.stringify(fields).includes('f:app.kubernetes.io/part-of');

const replicasIn = (spec: unknown): number | undefined =>
  (spec as { readonly replicas?: number } | undefined)?.replicas;

/** Of a Deployment and a Job it tells whether anything that matters to pods was written. */
const generation = (kind: string, { generation }: KubeObject['metadata']): number | undefined =>
  ['Deployment', 'Job'].includes(kind) ? generation : undefined;

/** The hosts that there are beside the operator, in the ways in which they write. */
export const staticHosts = (admin: KubeClient, { childTypes }: Pick<Kind, 'childTypes'>) => {
  const typeOf = ({ kind }: Manifest): ResourceType => {
    const type = childTypes.find((one) => one.kind === kind);
    if (type === undefined) throw new Error(`${kind} is no type of child`);
    return type;
  };
  return {
    'kubectl apply': (manifests) => kubectlApply(manifests),
    'kubectl apply --server-side': (manifests) => kubectlApply(manifests, '--server-side'),
    'a create by Pulumi': async (manifests) => {
      for (const manifest of manifests) {
        await admin.create(typeOf(manifest), manifest, { fieldManager: 'pulumi-kubernetes' });
      }
    },
    'an update by Pulumi': async (manifests) => {
      for (const manifest of manifests) {
        await admin.apply(typeOf(manifest), manifest, { fieldManager: 'pulumi-kubernetes-3f1b2c4d' });
      }
    },
  } satisfies Record<string, StaticHost>;
};

/** Applies manifests with kubectl. */
export async function kubectlApply(manifests: readonly Manifest[], ...flags: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trunnion-handover-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'manifests.yaml');
  await writeFile(file, manifests.map((manifest) => stringify(manifest)).join('---\n'));
  await kubectl('apply', '-f', file, ...flags);
}

/** A client that is cut off after so many writes. */
export function mortal(client: KubeClient, writes: number): KubeClient {
  let left = writes;
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const isDryRun = (args.at(-1) as { readonly dryRun?: boolean } | undefined)?.dryRun === true;
        if (['apply', 'patch', 'delete'].includes(String(name)) && !isDryRun && left-- === 0) throw new CutOff();
        return Reflect.apply(member, target, args);
      };
    },
  });
}

/** What ends a command that runs with a mortal client. */
export class CutOff extends Error {}
