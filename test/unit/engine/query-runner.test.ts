import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QueryRunner } from '../../../operator/engine/queries/query-runner.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import type { ObservedPod } from '../../../operator/engine/api/observed.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';

const about = (uid = 'u'): Resource => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns', uid, resourceVersion: '1', creationTimestamp: '' },
  spec: {},
});

const secrets: Record<string, object> = {
  token: { data: { key: 'dmFsdWU=', other: 'eA==' } },
  same: { data: { key: 'dmFsdWU=', other: 'eA==' } },
  changed: { data: { key: 'bmV3', other: 'eA==' } },
  empty: {},
};

const server = createServer((request, response) => {
  if (request.url === '/metrics') response.end('running{a="1"} 2\nrunning{a="2"} 1\n');
  else if (request.url === '/endless') response.write('x\n'.repeat(1_000));
  else if (request.url === '/large') response.write(`x{a="${'b'.repeat(1_000)}"} 1\n`.repeat(2_000));
  else if (request.url === '/refused') response.writeHead(500).write('x'.repeat(100_000));
  else if (request.url === '/cut') response.end('running 2\nrunning 1');
  else response.writeHead(503).end();
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const connections = async (): Promise<number> => promisify(server.getConnections.bind(server))();

const configMaps: Readonly<Record<string, object>> = {
  prompts: { data: { text: 'hello' }, binaryData: { logo: 'AAAA' } },
};

const jobs: Readonly<Record<string, object>> = {
  there: {},
  owned: {
    metadata: {
      ...about().metadata,
      name: 'owned',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'o', controller: true }],
    },
  },
  leaving: { metadata: { ...about().metadata, name: 'leaving', deletionTimestamp: '2026-01-01T00:00:00Z' } },
};

const contents: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  Secret: secrets,
  ConfigMap: configMaps,
  Job: jobs,
};

const pods: Record<string, Partial<ObservedPod>> = { up: { ip: '10.1.2.3' }, pending: {} };

const policies = ['b', 'a'].map((name) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { ...about().metadata, name },
  spec: { podSelector: {}, policyTypes: ['Egress'], ingress: [] },
}));
const largePolicy = { ...policies[0], spec: { egress: [{ to: [{ ipBlock: { cidr: 'x'.repeat(4_000) } }] }] } } as never;
const listed: string[] = [];

let now = 7;

const answers = new QueryRunner({
  client: {
    find: async ({ kind }, { name }) => {
      const content = contents[kind]?.[name];
      return Promise.resolve(
        content && { apiVersion: 'v1', kind, metadata: { ...about().metadata, name }, ...content },
      );
    },
    list: async (type, options) => {
      const namespace = options?.namespace ?? '';
      listed.push(`${type.plural} ${namespace}`);
      if (namespace === 'closed') throw new Error('forbidden');
      const items = namespace === 'large' ? Array.from({ length: 300 }, () => largePolicy) : policies;
      return Promise.resolve({ metadata: { resourceVersion: '1' }, items });
    },
    openLog: async ({ name }, options) =>
      Promise.resolve(Readable.from([Buffer.from(`${name} ${JSON.stringify(options)}`)])),
  },
  isServed: async ({ kind }) => Promise.resolve(kind === 'ScaledObject'),
  pod: (_, name) => pods[name] as ObservedPod | undefined,
  podAddress: (ip) => ip.replace(/^10\.1\.2\.3$/, '127.0.0.1'),
  now: () => now,
});
afterAll(() => answers.close());

describe('a Secret', () => {
  const query = (name: string, keys?: readonly string[]) =>
    ({ id: 'i', type: 'secret', everySeconds: 60, name, ...(keys !== undefined && { keys }) }) as const;
  const hashOf = async (name: string, keys?: readonly string[], uid?: string) => {
    const answer = await answers.answer(query(name, keys), about(uid));
    return answer.type === 'secret' ? answer.hash : '';
  };

  it('is reported by a hash that changes with its content, and not with its name', async () => {
    expect(await hashOf('token')).toMatch(/^[0-9a-f]{16}$/);
    expect(await hashOf('token')).toBe(await hashOf('same'));
    expect(await hashOf('token')).not.toBe(await hashOf('changed'));
  });

  it('counts by the keys that are asked for, where they are named', async () => {
    expect(await hashOf('token', ['other'])).toBe(await hashOf('changed', ['other']));
    expect(await hashOf('token', ['key'])).not.toBe(await hashOf('changed', ['key']));
  });

  it('has another hash for another resource', async () => {
    expect(await hashOf('token', undefined, 'a')).not.toBe(await hashOf('token', undefined, 'b'));
  });

  it('is told to be missing, as are its keys', async () => {
    expect(await answers.answer(query('absent', ['key']), about())).toEqual({
      at: 7,
      type: 'secret',
      exists: false,
      hash: '',
      missingKeys: ['key'],
    });
    expect(await answers.answer(query('empty', ['key']), about())).toMatchObject({
      exists: true,
      missingKeys: ['key'],
    });
  });
});

it('a ConfigMap is reported as a Secret is, with what of it is no text', async () => {
  const query = {
    id: 'i',
    type: 'configMap',
    everySeconds: 60,
    name: 'prompts',
    keys: ['text', 'logo', 'gone'],
  } as const;
  expect(await answers.answer(query, about())).toEqual({
    at: 7,
    type: 'configMap',
    exists: true,
    hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    missingKeys: ['gone'],
  });
  expect(await answers.answer({ ...query, name: 'token' }, about())).toMatchObject({ exists: false });
});

describe('metrics of a pod', () => {
  const port = (): number => (server.address() as AddressInfo).port;
  const query = (pod: string, path: string, at = port()) =>
    answers.answer(
      { id: 'i', type: 'podMetrics', everySeconds: 5, pod, port: at, path, metrics: ['running', 'absent'] },
      about(),
    );

  it('are summed', async () => {
    expect(await query('up', '/metrics')).toEqual({ at: 7, type: 'podMetrics', values: { running: 3 }, closed: false });
  });

  it('are closed where nothing listens, and where the pod is gone', async () => {
    const closed = { at: 7, type: 'podMetrics', values: {}, closed: true };
    expect(await query('gone', '/metrics')).toEqual(closed);
    expect(await query('up', '/metrics', 1)).toEqual(closed);
  });

  it('cannot be found out where the pod has no address, refuses to tell, or does not end', async () => {
    await expect(query('pending', '/metrics')).rejects.toThrow('no address yet');
    await expect(query('up', '/other')).rejects.toThrow('answered 503');
    await expect(query('up', '/endless')).rejects.toThrow(/timeout|aborted/i);
  });

  it('cannot be found out from more than 1 MiB, or from an answer that is cut', async () => {
    await expect(query('up', '/large')).rejects.toThrow('answered more than 1048576 bytes');
    await expect(query('up', '/cut')).rejects.toThrow('end within a line');
  });

  it('are asked for on a connection that is closed at once, whatever the pod continues to send', async () => {
    for (const path of ['/metrics', '/refused', '/large']) await query('up', path).catch(() => undefined);
    await vi.waitFor(async () => expect(await connections()).toBe(0));
  });
});

it('tells the last lines of a log, and what all of it reports', async () => {
  const log = { id: 'i', everySeconds: 5, pod: 'p', container: 'c' } as const;
  expect(await answers.answer({ ...log, type: 'podLog', tailLines: 3 }, about())).toEqual({
    at: 7,
    type: 'podLog',
    text: 'p {"container":"c","tailLines":3}',
  });
  expect(await answers.answer({ ...log, type: 'reported', metric: 'loss' }, about())).toEqual({
    at: 7,
    type: 'reported',
  });
});

it('tells whether a type is served', async () => {
  const resource = TYPES.scaledObject;
  expect(await answers.answer({ id: 'i', type: 'served', everySeconds: 5, resource }, about())).toEqual({
    at: 7,
    type: 'served',
    served: true,
  });
});

it('tells the UID of an object and of its controller, unless there is none, or it is being deleted', async () => {
  const resource = TYPES.job;
  const query = (name: string) => answers.answer({ id: 'i', type: 'object', everySeconds: 1, resource, name }, about());
  expect(await query('there')).toEqual({ at: 7, type: 'object', uid: 'u' });
  expect(await query('owned')).toEqual({ at: 7, type: 'object', uid: 'u', ownerUid: 'o' });
  expect(await query('leaving')).toEqual({ at: 7, type: 'object', leaving: true });
  expect(await query('gone')).toEqual({ at: 7, type: 'object' });
});

describe('objects of the namespace', () => {
  const resource = TYPES.networkPolicy;
  const query = {
    id: 'i',
    type: 'objects',
    everySeconds: 60,
    resource,
    paths: ['spec.policyTypes', 'spec.egress'],
  } as const;
  const slice = { spec: { policyTypes: ['Egress'] } };

  it('are reported by name, with the paths that were asked for and are there', async () => {
    expect(await answers.answer(query, about())).toEqual({
      at: 7,
      type: 'objects',
      objects: [
        { name: 'a', slice },
        { name: 'b', slice },
      ],
    });
  });

  it('are listed once for all who ask at about the same time, and again after that', async () => {
    now = 100_000;
    listed.length = 0;
    await Promise.all([answers.answer(query, about('u')), answers.answer(query, about('v'))]);
    now += 14_000;
    await answers.answer(query, about('w'));
    expect(listed).toEqual(['networkpolicies ns']);
    now += 1_000;
    await answers.answer(query, about('w'));
    expect(listed).toHaveLength(2);
    now = 7;
  });

  it('are one value for all, for as long as nothing in them changes', async () => {
    const listedAt = async (at: number) => {
      now = at;
      const answer = await answers.answer(query, about(`u${at}`));
      return answer.type === 'objects' ? answer.objects : undefined;
    };
    const first = await listedAt(200_000);
    expect(await listedAt(201_000)).toBe(first);
    expect(await listedAt(220_000)).toBe(first);
    now = 7;
  });

  it('are not kept where what is asked of them is more than 1 MiB', async () => {
    const elsewhere = { ...about(), metadata: { ...about().metadata, namespace: 'large' } };
    await expect(answers.answer(query, elsewhere)).rejects.toThrow(
      /the networkpolicies take \d+ characters, more than/,
    );
  });

  it('are asked for again after a failure', async () => {
    const elsewhere = { ...about(), metadata: { ...about().metadata, namespace: 'closed' } };
    listed.length = 0;
    await expect(answers.answer(query, elsewhere)).rejects.toThrow('forbidden');
    await expect(answers.answer(query, elsewhere)).rejects.toThrow('forbidden');
    expect(listed).toHaveLength(2);
  });
});
