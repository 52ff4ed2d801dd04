import { isNotFound, type KubeObject } from '../../../operator/kube/index.ts';
import { annotationOf, isJobReady, timeoutOf } from './await.ts';
import { changesBetween, pruned, replacingChanges, type Changes } from './diff.ts';
import { NotReadyError, type Manifest, type Objects } from './objects.ts';
import { closed, hasUnknown, isObject, open, type Properties } from './wire.ts';

/** A resource as the provider gave it to the engine. */
export interface Resource {
  readonly id: string;
  /** The live object, with the marks of secrets that its inputs have. */
  readonly properties: Properties;
}

/** A resource that was read. */
export interface ReadResource extends Resource {
  /** What the live object has where the inputs have something. */
  readonly inputs: Properties;
}

/** What an update would do. */
export interface Difference {
  readonly changes: Changes;
  /** Those that take another object. */
  readonly replaces: readonly string[];
  /** The old one goes first, since the new one has its name. */
  readonly deleteBeforeReplace: boolean;
}

/** A resource that exists and is not ready. */
export class InitFailedError extends Error {
  readonly resource: ReadResource;

  constructor(message: string, resource: ReadResource) {
    super(message);
    this.resource = resource;
  }
}

const AUTONAMED = 'pulumi.com/autonamed';

/**
 * What stands in for Pulumi's Kubernetes provider in our tests: it applies to the API server what the engine asks for,
 * and waits until that is ready. It does what the programs of the tests need of the real one, in the same way: server-side
 * apply without force, the live object compared at the places of the inputs, other objects where a field can't change,
 * dry runs in previews.
 */
export class KubernetesProvider {
  readonly #objects: Objects;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** The inputs with a name, where they have none. */
  check(logicalName: string, seed: Uint8Array, olds: Properties, news: Properties): Properties {
    const metadata = fieldsOf(news['metadata']);
    if (metadata['name'] !== undefined) return news;
    const old = fieldsOf(olds['metadata']);
    const name = isAutonamed(old) ? old['name'] : `${logicalName}-${Buffer.from(seed.slice(0, 4)).toString('hex')}`;
    const annotations = { ...fieldsOf(metadata['annotations']), [AUTONAMED]: 'true' };
    return { ...news, metadata: { ...metadata, name, annotations } };
  }

  async diff(urn: string, state: Properties, oldInputs: Properties, news: Properties): Promise<Difference> {
    const [live, before, wanted] = [open(state), withData(open(oldInputs)), withData(open(news))];
    const changes = changesBetween(pruned(live, before), wanted);
    const replaces = [
      // provider/provider.go, Diff: what patches is replaced only where its identity changes.
      ...replacingChanges(isPatch(urn) ? '' : String(fieldsOf(wanted)['kind']), changes),
      ...(await this.#unready(news)),
    ];
    const [old, metadata] = [fieldsOf(fieldsOf(live)['metadata']), fieldsOf(fieldsOf(wanted)['metadata'])];
    const sameName =
      old['name'] === metadata['name'] && (old['namespace'] ?? 'default') === (metadata['namespace'] ?? 'default');
    return { changes, replaces, deleteBeforeReplace: replaces.length > 0 && sameName && !isAutonamed(metadata) };
  }

  async previewCreate(inputs: Properties): Promise<Resource> {
    // Nobody's fields are in the way of an object that is to be replaced first.
    return { id: '', properties: await this.#previewed(inputs, true) };
  }

  async create(urn: string, inputs: Properties, seconds: number): Promise<Resource> {
    const manifest = manifestOf(inputs);
    await this.#objects.create(manifest, { adopts: isPatch(urn), force: isForced(manifest) });
    return this.#ready(inputs, seconds, false);
  }

  /** @returns undefined where there is none */
  async read(id: string, inputs: Properties): Promise<ReadResource | undefined> {
    const live = await this.#objects.find(manifestOf(inputs));
    return live && { ...resourceOf(live, inputs), id };
  }

  async previewUpdate(inputs: Properties): Promise<Properties> {
    return this.#previewed(inputs, false);
  }

  async update(inputs: Properties, seconds: number): Promise<Properties> {
    const manifest = manifestOf(inputs);
    await this.#objects.apply(manifest, { force: isForced(manifest) });
    return (await this.#ready(inputs, seconds, true)).properties;
  }

  async delete(state: Properties, seconds: number): Promise<void> {
    const manifest = manifestOf(state);
    await this.#objects.delete(manifest, timeoutOf(manifest, seconds));
  }

  /** provider/provider.go, Diff: the live Job decides, and one that still runs is as unready as one that failed. */
  async #unready(news: Properties): Promise<readonly string[]> {
    const wanted = open(news);
    if (annotationOf(wanted, 'replaceUnready') !== 'true' || hasUnknown(fieldsOf(wanted)['metadata'])) return [];
    const live = await this.#objects.find(manifestOf(news));
    return live === undefined || isJobReady(live) ? [] : ['metadata.annotations["pulumi.com/replaceUnready"]'];
  }

  /** What a dry run makes of inputs; the inputs themselves where none is possible yet. */
  async #previewed(inputs: Properties, force: boolean): Promise<Properties> {
    if (hasUnknown(inputs)) return inputs;
    try {
      const live = await this.#objects.apply(manifestOf(inputs), { force, dryRun: true });
      return resourceOf(live, inputs).properties;
    } catch (error) {
      if (isNotFound(error)) return inputs;
      throw error;
    }
  }

  async #ready(inputs: Properties, seconds: number, updated: boolean): Promise<ReadResource> {
    const manifest = manifestOf(inputs);
    try {
      return resourceOf(await this.#objects.ready(manifest, timeoutOf(manifest, seconds), updated), inputs);
    } catch (error) {
      if (!(error instanceof NotReadyError)) throw error;
      throw new InitFailedError(error.message, resourceOf(error.object, inputs));
    }
  }
}

function resourceOf(live: KubeObject, inputs: Properties): ReadResource {
  const { managedFields: _, ...metadata } = live.metadata;
  const object = { ...live, metadata };
  const { name, namespace } = metadata;
  return {
    id: namespace === undefined ? name : `${namespace}/${name}`,
    // What was secret as `stringData` is so as `data`.
    properties: closed(object, { data: inputs['stringData'], ...inputs }) as Properties,
    inputs: closed(pruned(object, withData(open(inputs))), inputs) as Properties,
  };
}

const manifestOf = (properties: Properties): Manifest => open(properties) as Manifest;

/** A Secret with its texts in the form in which the API server keeps them. */
function withData(manifest: unknown): unknown {
  const { stringData, ...rest } = fieldsOf(manifest);
  if (stringData === undefined || hasUnknown(stringData)) return manifest;
  const encoded = Object.entries(fieldsOf(stringData)).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString('base64'),
  ]);
  return { ...rest, data: { ...fieldsOf(rest['data']), ...Object.fromEntries(encoded) } };
}

const fieldsOf = (value: unknown): Properties => (isObject(value) ? value : {});

const isAnnotated = (metadata: Properties, annotation: string): boolean =>
  fieldsOf(metadata['annotations'])[annotation] === 'true';

/** kinds/util.go, IsPatchResource: `kubernetes:core/v1:PersistentVolumeClaimPatch`. */
const isPatch = (urn: string): boolean => urn.split('::').at(-2)?.endsWith('Patch') === true;

/** await/await.go, patchForce */
const isForced = (manifest: Manifest): boolean => annotationOf(manifest, 'patchForce') === 'true';

const isAutonamed = (metadata: Properties): boolean => isAnnotated(metadata, AUTONAMED);
