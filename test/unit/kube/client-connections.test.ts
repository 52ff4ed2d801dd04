import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Connection, type ConnectionSource, KubeClient, TransportError } from '../../../operator/kube/index.ts';
import { CachedConnection, connect } from '../../../operator/kube/client/connection.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { selfSigned } from '../weights/support/certificate.ts';
import { BODY, ok, REF } from './support/config-maps.ts';
import { FakeApiServer, frames, object, status } from './support/fake-api-server.ts';

describe('connections', () => {
  test('are kept: a hundred requests take two handshakes at most, and fifty at once about fifty', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const client = server.client();
    for (let time = 0; time < 100; time += 1) await client.get(TYPES.configMap, REF);
    // Two, where the second request comes before the first connection is seen to be free again.
    expect(server.connections).toBeLessThanOrEqual(2);
    await Promise.all(Array.from({ length: 50 }, () => client.get(TYPES.configMap, REF)));
    expect(server.connections).toBeLessThanOrEqual(52);
  });

  test('of watches are apart from those of requests, and end with their signal', async () => {
    const server = await FakeApiServer.start({ watch: [frames([object('x', 1)])], other: [ok] });
    const client = server.client();
    const stop = new AbortController();
    const body = await client.watch(TYPES.configMap, 'd', {}, stop.signal);
    await client.get(TYPES.configMap, REF);
    expect(server.connections).toBe(2);
    stop.abort();
    await expect(Array.fromAsync(body)).rejects.toThrow('aborted');
  });

  test('speak HTTP/1.1, also where HTTP/2 is offered', async () => {
    const certificate = selfSigned();
    const versions: string[] = [];
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const connection = { url: `https://127.0.0.1:${port}`, ca: certificate.cert, namespace: 'd' };
    const client = new KubeClient({ connection: connect({ from: 'fixed', connection }) });
    await client.get(TYPES.configMap, REF);
    expect(versions).toEqual(['1.1']);
    await client.close();
    server.close();
  });

  test('refuse a server whose certificate is not of the CA, and one of another name', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const fixed = (fields: Partial<Connection>) => {
      const connection = { url: server.url, ca: server.certificate.cert, namespace: 'd', ...fields };
      return new KubeClient({ connection: connect({ from: 'fixed', connection }) });
    };
    for (const client of [fixed({ ca: selfSigned().cert }), fixed({ serverName: 'another.example.org' })]) {
      await expect(client.get(TYPES.configMap, REF, { retry: false })).rejects.toThrow(TransportError);
      await client.close();
    }
    expect(server.received).toEqual([]);
  });
});

describe('credentials', () => {
  test('that come too late for a request let it fail, and nothing is sent', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const settings = { url: server.url, ca: server.certificate.cert, namespace: 'd' };
    const slow = () => new Promise<Connection>((resolve) => setTimeout(() => resolve(settings), 200));
    const client = server.client({ connection: { current: slow, reload: slow } });
    const tooLate = client.get(TYPES.configMap, REF, { deadlineMs: 50, retry: false });
    await expect(tooLate).rejects.toMatchObject({ code: 'DEADLINE' });
    const unwanted = client.get(TYPES.configMap, REF, { signal: AbortSignal.timeout(50), retry: false });
    await expect(unwanted).rejects.toThrow('timeout');
    expect(server.received).toEqual([]);
  });

  test('are read again, once, when the server refuses them', async () => {
    const server = await FakeApiServer.start({
      other: [(response, request) => (request.authorization === 'Bearer new' ? ok : status(401))(response, request)],
    });
    const base = { url: server.url, ca: server.certificate.cert, namespace: 'd' };
    let token = 'old';
    const source: ConnectionSource = {
      current: async () => ({ ...base, authorization: `Bearer ${token}` }),
      reload: async () => ({ ...base, authorization: `Bearer ${(token = 'new')}` }),
    };
    const client = server.client({ connection: source });
    await client.create(TYPES.configMap, BODY);
    expect(server.received.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
    token = 'wrong';
    const refusing = server.client({ connection: { ...source, reload: () => source.current() } });
    await expect(refusing.create(TYPES.configMap, BODY)).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(4);
  });

  test('include the CA, which is read again when the server has a new one', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const old = { url: server.url, ca: selfSigned().cert, namespace: 'd' };
    let connection: Connection = old;
    const source: ConnectionSource = {
      current: async () => connection,
      reload: async () => (connection = { ...old, ca: server.certificate.cert }),
    };
    const client = server.client({ connection: source });
    expect((await client.create(TYPES.configMap, BODY)).kind).toBe('ConfigMap');
    expect(server.received).toHaveLength(1);
  });

  test('that cannot be read again stay as they were, and many who ask at once read once', async () => {
    let reads = 0;
    const source = new CachedConnection(async () => {
      reads += 1;
      if (reads > 1) throw new Error('no such file');
      return { url: 'a', namespace: 'd' };
    }, 0);
    await Promise.all([source.current(), source.current(), source.current()]);
    expect(reads).toBe(1);
    expect((await source.current()).url).toBe('a');
    expect(reads).toBe(2);
  });

  test('of a pod come from its mounted files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mount-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await Promise.all([
      writeFile(join(directory, 'token'), 'secret\n'),
      writeFile(join(directory, 'ca.crt'), 'PEM'),
      writeFile(join(directory, 'namespace'), 'trunnion-system'),
    ]);
    const source = connect({ from: 'cluster', directory, host: 'fd00::1', port: '443' });
    expect(await source.current()).toEqual({
      url: 'https://[fd00::1]:443',
      ca: 'PEM',
      authorization: 'Bearer secret',
      namespace: 'trunnion-system',
    });
    await expect(connect({ from: 'cluster', directory }).current()).rejects.toThrow('not in a cluster');
  });
});
