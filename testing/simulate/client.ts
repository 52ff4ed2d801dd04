import { groupOf } from '../../operator/engine/api/index.ts';
import type { Named, ResourceType } from '../../operator/engine/api/index.ts';
import { apiVersionOf } from '../../operator/kube/index.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  KubeClient,
  KubeObject,
  ListOptions,
  ObjectBody,
  ObjectRef,
  WriteOptions,
} from '../../operator/kube/index.ts';
import { jsonPatched, mergePatched, namedOf, type ApiServer, type Body, type Patch } from './server/index.ts';

/** What an operator sends to the API server. */
export interface Request {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'status' | 'patch' | 'delete';
  /** The name is '' in a list. */
  readonly object: Named;
  /** What is sent; absent where nothing is. */
  readonly body?: object;
}

/** What happens to the requests of an operator. What a function throws is the answer. */
export interface Line {
  /** Called before a request has its effect. */
  readonly before: (request: Request) => void;
  /** Called once a write had its effect, before the operator has the answer. */
  readonly written: (request: Request) => void;
}

type Client = Pick<KubeClient, 'apply' | 'create' | 'patch' | 'delete' | 'find' | 'list' | 'openLog'>;

/** The client of an operator, on an API server in memory. */
export function clientOf(server: ApiServer, line: Line): Client {
  const write = async <T>(request: Request, effect: () => T): Promise<T> => {
    line.before(request);
    const answer = effect();
    line.written(request);
    return Promise.resolve(answer);
  };
  const live = (object: Named): KubeObject | undefined => server.find(object);
  return {
    find: async (type: ResourceType, ref: ObjectRef) => {
      const object = namedIn(type, ref);
      line.before({ verb: 'get', object });
      return Promise.resolve(live(object));
    },
    list: async (type: ResourceType, options?: ListOptions) => {
      const namespace = options?.namespace;
      line.before({ verb: 'list', object: namedIn(type, { namespace: namespace ?? '', name: '' }) });
      const { group, kind } = type;
      const items = server.objects.filter((object) => {
        const isInside = namespace === undefined || object.metadata.namespace === namespace;
        return isInside && object.kind === kind && groupOf(object.apiVersion) === group;
      });
      return Promise.resolve({ metadata: {}, items });
    },
    apply: (_type: ResourceType, body: ObjectBody, { fieldManager, force = false, subresource }: ApplyOptions) => {
      const object = namedOf(body as Body);
      const verb = subresource === 'status' ? 'status' : live(object) === undefined ? 'create' : 'update';
      return write({ verb, object, body }, () =>
        server.apply(body as Body, { manager: fieldManager, force, subresource }),
      );
    },
    create: (_type: ResourceType, body: ObjectBody, options?: WriteOptions) =>
      write({ verb: 'create', object: namedOf(body as Body), body }, () =>
        server.create(body as Body, options?.fieldManager ?? 'operator'),
      ),
    patch: (type: ResourceType, ref: ObjectRef, body: object, options?: WriteOptions) => {
      const object = namedIn(type, ref);
      return write({ verb: 'patch', object, body }, () =>
        server.patch(object, patchOf(body), options?.fieldManager ?? 'operator'),
      );
    },
    delete: (type: ResourceType, ref: ObjectRef, { uid, resourceVersion, mustExist = false }: DeleteOptions) => {
      const object = namedIn(type, ref);
      return write({ verb: 'delete', object }, () => {
        if (live(object) === undefined && !mustExist) return undefined;
        return server.delete(object, { uid, resourceVersion });
      });
    },
    openLog: () => Promise.reject(new Error('a simulated pod writes no log')),
  };
}

/** How a patch changes an object, and what it asks of the live one. */
function patchOf(body: object): Patch {
  if (Array.isArray(body)) return { change: (live) => jsonPatched(live, body), if: {} };
  const { metadata = {} } = body as { readonly metadata?: Patch['if'] };
  const { uid, resourceVersion } = metadata;
  return { change: (live) => mergePatched(live, body) as KubeObject, if: { uid, resourceVersion } };
}

const namedIn = (type: ResourceType, { namespace = '', name }: ObjectRef): Named => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  namespace,
  name,
});
