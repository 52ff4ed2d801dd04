import { ApiError, apiVersionOf, type KubeClient, type ResourceType } from '../../operator/kube/index.ts';

/** A type that an API server serves. */
export interface ServedType extends ResourceType {
  /** Whether its objects are in namespaces. */
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs?: readonly string[];
  }[];
}

interface GroupVersion {
  readonly groupVersion: string;
}

interface GroupList {
  readonly groups?: readonly {
    readonly preferredVersion?: GroupVersion;
    readonly versions?: readonly GroupVersion[];
  }[];
}

/** Finds the types that an API server serves. */
export class ServedTypes {
  readonly #client: Pick<KubeClient, 'raw'>;
  /** By what they were asked for. A type that is served remains so, or its objects are gone with it. */
  readonly #known = new Map<string, ServedType>();

  constructor(client: Pick<KubeClient, 'raw'>) {
    this.#client = client;
  }

  /**
   * The type of a manifest, or of an object.
   *
   * @throws Error where the server does not serve it
   */
  async of({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Promise<ServedType> {
    return this.#remembered(`${apiVersion}/${kind}`, async () => {
      const served = await this.#in(apiVersion);
      const found = served.find((type) => type.kind === kind);
      if (found !== undefined) return found;
      const kinds = served.map((type) => type.kind).join(', ');
      throw new Error(
        `the API server does not serve the kind ${kind} of ${apiVersion}. Install its CRD. ${apiVersion} has: ${kinds || 'nothing'}.`,
      );
    });
  }

  /**
   * The type of a kind: `Deployment`, `apps/v1/Deployment`, or `v1/Service`. Of several groups with the same kind, the
   * server's first.
   *
   * @throws Error where the server does not serve it
   */
  async find(kind: string): Promise<ServedType> {
    const at = kind.lastIndexOf('/');
    if (at !== -1) return this.of({ apiVersion: kind.slice(0, at), kind: kind.slice(at + 1) });
    return this.#remembered(kind, async () => {
      const found = (await this.all()).find((type) => type.kind === kind);
      if (found !== undefined) return found;
      throw new Error(
        `the API server does not serve a kind "${kind}". Write it as in a manifest ("Deployment"), or with its group and version ("apps/v1/Deployment"). If it is one of yours, install its CRD.`,
      );
    });
  }

  /** Every type, in the version that the server prefers. */
  async all(): Promise<readonly ServedType[]> {
    const { groups = [] } = (await this.#client.raw('GET', '/apis')) as GroupList;
    const versions = groups.flatMap(({ preferredVersion }) => preferredVersion?.groupVersion ?? []);
    return (await Promise.all(['v1', ...versions].map((version) => this.#in(version)))).flat();
  }

  /**
   * Whether each document of the server's discovery has a type. They don't change at once: a CRD whose objects can be
   * listed may still be missing in them.
   */
  async isDiscovered(type: ResourceType): Promise<boolean> {
    const apiVersion = apiVersionOf(type);
    const { groups = [] } = (await this.#client.raw('GET', '/apis')) as GroupList;
    const isInGroups = groups.some(({ versions = [] }) => versions.some((each) => each.groupVersion === apiVersion));
    return isInGroups && (await this.#in(apiVersion)).some(({ kind }) => kind === type.kind);
  }

  async #remembered(id: string, find: () => Promise<ServedType>): Promise<ServedType> {
    const type = this.#known.get(id) ?? (await find());
    this.#known.set(id, type);
    return type;
  }

  async #in(apiVersion: string): Promise<readonly ServedType[]> {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const list = (await this.#client.raw('GET', path).catch(noneWhereRefused)) as ResourceList;
    return (list.resources ?? [])
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced, verbs = [] }) => ({
        group: group ?? '',
        version: version ?? '',
        kind,
        plural: name,
        namespaced,
        verbs,
      }));
  }
}

/** A version that is not served has no types, and neither has one whose own server is away. */
function noneWhereRefused(error: unknown): ResourceList {
  if (error instanceof ApiError) return {};
  throw error;
}
