import { describe, expect, test } from 'vitest';
import { liveResource, liveResources } from '../../../cli/live.ts';
import { allKinds, kinds } from '../../../cli/kinds.ts';
import { ApiError, type KubeClient } from '../../../operator/kube/index.ts';

const OURS = '/apis/trunnion.dev/v1alpha1';

interface World {
  /** Plurals that the cluster serves. */
  readonly served: readonly string[];
  /** Plurals of which there is one called `qwen`. */
  readonly there?: readonly string[];
  /** Plurals that may not be read. */
  readonly denied?: readonly string[];
  readonly namespaces?: readonly string[];
}

const notFound = () => ApiError.from(404, '{"kind":"Status","reason":"NotFound"}');
const forbidden = (verb: string, plural: string, place: string) => {
  const message = `${plural} is forbidden: User "ann" cannot ${verb} resource "${plural}" in API group "" ${place}`;
  return ApiError.from(403, JSON.stringify({ kind: 'Status', reason: 'Forbidden', message }));
};

/** A client of a cluster, which remembers what it was asked. */
function clientOf({ served, there = [], denied = [], namespaces = ['prod'] }: World) {
  const asked: string[] = [];
  const client = {
    raw: async (_: string, path: string) => {
      if (path !== OURS || served.length === 0) throw notFound();
      return { resources: served.map((name) => ({ name, kind: name })) };
    },
    find: async ({ plural }: { plural: string }, { name, namespace }: { name?: string; namespace?: string }) => {
      if (plural === 'namespaces') {
        if (denied.includes(plural)) throw forbidden('get', plural, 'at the cluster scope');
        return namespaces.includes(name ?? '') ? { metadata: { name } } : undefined;
      }
      asked.push(plural);
      if (denied.includes(plural)) throw forbidden('get', plural, `in the namespace "${namespace}"`);
      return there.includes(plural) && name === 'qwen' ? { kind: plural, metadata: { name } } : undefined;
    },
    list: async ({ plural }: { plural: string }, { namespace }: { namespace?: string }) => {
      asked.push(plural);
      const place = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
      if (denied.includes(plural)) throw forbidden('list', plural, place);
      return { metadata: {}, items: there.includes(plural) ? [{ metadata: { name: 'qwen' } }] : [] };
    },
  };
  return { client: client as unknown as KubeClient, asked };
}

const ALL = kinds.map(({ type }) => type.plural);

describe('a short name', () => {
  /** The kind that was found, or what was said, with what was said beside. */
  async function found(world: World, reference = 'qwen', among = allKinds) {
    const { client, asked } = clientOf(world);
    const said: string[] = [];
    try {
      const { kind } = await liveResource(client, reference, 'prod', among, (line) => said.push(line));
      return { kind: kind.type.kind, said, asked };
    } catch (error) {
      return { error: (error as Error).message, said, asked };
    }
  }

  test('asks for the kinds alone that the cluster serves', async () => {
    expect(await found({ served: ALL, there: ['modelservings'] })).toEqual({
      kind: 'ModelServing',
      said: [],
      asked: ALL,
    });
  });

  test.for<readonly [string, World, object]>([
    [
      'no CRDs',
      { served: [] },
      {
        error:
          'the cluster has no ModelServing, no AgentService, no DistributedTraining of trunnion.dev: install the CRDs first, with trunnion install',
      },
    ],
    ['nothing of that name', { served: ALL }, { error: 'there is no resource prod/qwen' }],
    [
      'no such namespace',
      { served: ALL, namespaces: [] },
      { error: 'there is no namespace prod: kubectl get namespaces lists those that there are' },
    ],
    [
      'namespaces that may not be seen',
      { served: ALL, denied: ['namespaces'] },
      { error: 'there is no resource prod/qwen' },
    ],
    [
      'two of that name',
      { served: ALL, there: ['modelservings', 'agentservices'] },
      { error: 'qwen names 2 resources; say which: modelserving/qwen or agentservice/qwen' },
    ],
    [
      'one, and kinds that may not be asked for',
      { served: ALL, there: ['modelservings'], denied: ['agentservices'] },
      {
        kind: 'ModelServing',
        said: [
          'You may not get agentservices in prod: one of these may be called qwen as well. This is modelserving/qwen.',
        ],
      },
    ],
    [
      'none, and a kind that may not be asked for',
      { served: ALL, denied: ['agentservices'] },
      {
        error:
          'there is no ModelServing or DistributedTraining prod/qwen; of others nothing is known, since you may not get agentservices in prod: you are "ann". Ask an administrator of prod for the ClusterRole view there, or for a Role with this',
      },
    ],
    [
      'kinds none of which may be asked for',
      { served: ALL, denied: ALL },
      {
        error:
          'you may not get agentservices, distributedtrainings, modelservings in prod: you are "ann". Ask an administrator of prod for the ClusterRole view there, or for a Role with this',
      },
    ],
  ])('with %s', async ([, world, expected]) => {
    expect(await found(world)).toMatchObject({ said: [], ...expected });
  });

  test('after its kind asks for that one alone', async () => {
    const world = { served: ALL, there: ['modelservings', 'agentservices'] };
    expect(await found(world, 'agentservice/qwen')).toEqual({
      kind: 'AgentService',
      said: [],
      asked: ['agentservices'],
    });
    expect(await found({ served: [] }, 'msv/qwen')).toMatchObject({
      error: 'the cluster has no ModelServing of trunnion.dev/v1alpha1: install the CRDs first, with trunnion install',
    });
  });
});

describe('all resources', () => {
  const listed = async (world: World, namespace: string | undefined = 'prod') => {
    const { resources, denied } = await liveResources(clientOf(world).client, allKinds, namespace);
    return { kinds: resources.map(({ kind }) => kind.type.kind), denied: denied.map(({ resource }) => resource) };
  };

  test('are those that may be listed, with what may not', async () => {
    expect(await listed({ served: ALL, there: ALL, denied: ['agentservices'] })).toEqual({
      kinds: ['ModelServing', 'DistributedTraining'],
      denied: ['agentservices'],
    });
    expect(await listed({ served: ALL })).toEqual({ kinds: [], denied: [] });
  });

  test.for<readonly [string, World, string | undefined, RegExp]>([
    ['no CRDs', { served: [] }, 'prod', /^the cluster has no ModelServing, .*install the CRDs first/],
    ['no such namespace', { served: ALL, namespaces: [] }, 'prod', /^there is no namespace prod/],
    ['no rights', { served: ALL, denied: ALL }, 'prod', /^you may not list .* in prod: you are "ann"/],
    [
      'no rights in the cluster',
      { served: ALL, denied: ALL },
      undefined,
      /in the whole cluster: .* name one namespace with -n$/,
    ],
  ])('are an error with %s', async ([, world, namespace, expected]) => {
    await expect(liveResources(clientOf(world).client, allKinds, namespace)).rejects.toThrow(expected);
  });
});
