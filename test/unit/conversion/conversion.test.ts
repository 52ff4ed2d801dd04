import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import type { X509Certificate } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../../certificates/index.ts';
import { crdOf } from '../../../constructs/schema/crd.ts';
import {
  startConversions,
  webhookOf,
  type ConversionOptions,
  type Conversions,
} from '../../../operator/conversion/index.ts';
import { createLogger } from '../../../operator/engine/telemetry/index.ts';
import { ApiError, TYPES } from '../../../operator/kube/index.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { FakeCluster } from './support/fake-cluster.ts';
import { plain, webApp } from './support/kinds.ts';

const DAY_MS = 86_400_000;
const OPERATOR = { name: 'acme-operator', namespace: 'acme' };
const SECRET = { namespace: 'acme', name: 'acme-operator-conversion' };
const CRD = { name: 'webapps.acme.dev' };

function cluster(): FakeCluster {
  const fake = new FakeCluster();
  fake.put(TYPES.customResourceDefinition, crdOf(webApp, webhookOf(OPERATOR)));
  return fake;
}

function start(fake: FakeCluster, options: Partial<ConversionOptions> = {}): Conversions {
  const conversions = startConversions({
    kinds: [plain, webApp],
    client: fake.client,
    ...OPERATOR,
    port: 0,
    host: '127.0.0.1',
    // A check that a test asks for, and no other.
    checkMs: 3_600_000,
    log: createLogger('silent'),
    ...options,
  });
  if (conversions === undefined) throw new Error('there is something to convert');
  onTestFinished(() => conversions.close());
  return conversions;
}

const trustedIn = (fake: FakeCluster): string => {
  const crd = fake.get(TYPES.customResourceDefinition, CRD) as unknown as {
    spec: { conversion: { webhook: { clientConfig: { caBundle?: string } } } };
  };
  return Buffer.from(crd.spec.conversion.webhook.clientConfig.caBundle ?? '', 'base64').toString();
};

/** What is served to a client that trusts `ca` and asks for the Service. */
const served = (port: number, ca: string): Promise<X509Certificate> =>
  new Promise((resolve, reject) => {
    const socket = connect(
      { port, host: '127.0.0.1', ca, servername: `${SECRET.name}.${SECRET.namespace}.svc` },
      () => {
        const certificate = socket.getPeerX509Certificate();
        socket.destroy();
        if (certificate === undefined) reject(new Error('there is no certificate'));
        else resolve(certificate);
      },
    );
    socket.on('error', reject);
  });

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

const ask = (
  port: number,
  ca: string,
  body: string | Buffer,
  { path = '/convert', method = 'POST' }: { path?: string; method?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request(
      { port, host: '127.0.0.1', servername: 'localhost', ca, path, method, agent: false },
      (response) =>
        void text(response).then((answer) => resolve({ status: response.statusCode, body: answer }), reject),
    );
    call.on('error', reject);
    call.end(body);
  });

const review = (spec: unknown) =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: {
      uid: 'u',
      desiredAPIVersion: 'acme.dev/v1',
      objects: [{ apiVersion: 'acme.dev/v1beta1', kind: 'WebApp', metadata: { name: 'a' }, spec }],
    },
  });

test('nothing is started where nothing is converted', () => {
  const { client } = new FakeCluster();
  expect(startConversions({ kinds: [plain], client, ...OPERATOR, log: createLogger('silent') })).toBeUndefined();
});

describe('an operator that converts', () => {
  test('makes a certificate, shares it, tells the API server, and answers it', async () => {
    const fake = cluster();
    const port = await start(fake).listening;
    expect(fake.writes).toEqual([`create secrets/${SECRET.name}`, `patch customresourcedefinitions/${CRD.name}`]);
    const { status, body } = await ask(port, trustedIn(fake), review({ repository: 'nginx' }));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      response: {
        result: { status: 'Success' },
        convertedObjects: [{ apiVersion: 'acme.dev/v1', spec: { image: 'nginx' } }],
      },
    });
    expect((await served(port, trustedIn(fake))).subject).toMatch(/^CN=acme-operator 20\d\d-/);
  });

  test('writes nothing as long as all is as it must be', async () => {
    const fake = cluster();
    const conversions = start(fake);
    await conversions.listening;
    fake.writes.length = 0;
    await conversions.check();
    await conversions.check();
    expect(fake.writes).toEqual([]);
  });

  test('shares the certificate with other replicas: of two that begin at once, the first one wins', async () => {
    const fake = cluster();
    const replicas = [start(fake), start(fake), start(fake)];
    const ports = await Promise.all(replicas.map(({ listening }) => listening));
    const certificates = await Promise.all(ports.map((port) => served(port, trustedIn(fake))));
    expect(new Set(certificates.map(({ fingerprint256 }) => fingerprint256)).size).toBe(1);
    expect(trustedIn(fake).match(/BEGIN/g)).toHaveLength(1);
    await Promise.all(replicas.map((replica) => replica.check().catch(() => undefined)));
    expect(trustedIn(fake).match(/BEGIN/g)).toHaveLength(1);
  });

  test('writes the certificate again where somebody has replaced the CRD', async () => {
    const fake = cluster();
    const conversions = start(fake);
    const port = await conversions.listening;
    const before = trustedIn(fake);
    fake.put(TYPES.customResourceDefinition, crdOf(webApp, webhookOf(OPERATOR)));
    await conversions.check();
    expect(trustedIn(fake)).toBe(before);
    expect(await served(port, before)).toBeDefined();
  });

  test('renews it before its end: the next one is served once it is trusted, and the last one is trusted meanwhile', async () => {
    const fake = cluster();
    let now = Date.now();
    const [one, other] = [start(fake, { now: () => now }), start(fake, { now: () => now })];
    const [port, otherPort] = await Promise.all([one.listening, other.listening]);
    const first = (await served(port, trustedIn(fake))).fingerprint256;
    now += 246 * DAY_MS;
    await one.check();
    const bundle = trustedIn(fake);
    expect(bundle.match(/BEGIN/g)).toHaveLength(2);
    expect((await served(port, bundle)).fingerprint256).toBe(first);
    await one.check();
    const second = (await served(port, bundle)).fingerprint256;
    expect(second).not.toBe(first);
    expect((await served(otherPort, bundle)).fingerprint256).toBe(first);
    await other.check();
    expect((await served(otherPort, bundle)).fingerprint256).toBe(first);
    await other.check();
    expect((await served(otherPort, bundle)).fingerprint256).toBe(second);
    expect(trustedIn(fake)).toBe(bundle);
  });

  test('never writes an older certificate over a newer one', async () => {
    const fake = cluster();
    let now = Date.now();
    const [one, other] = [start(fake, { now: () => now }), start(fake, { now: () => now })];
    await Promise.all([one.listening, other.listening]);
    now += 246 * DAY_MS;
    // The other one renews it between this one's looks at the CRD and at the Secret.
    let between: Promise<void> | undefined;
    fake.before = (call) => {
      if (!call.startsWith('get secrets') || between !== undefined) return;
      between = other.check();
    };
    await one.check().catch(() => undefined);
    await between;
    fake.before = () => {};
    await Promise.all([one.check(), other.check()]);
    expect(trustedIn(fake).match(/BEGIN/g)).toHaveLength(2);
    const { data } = fake.get(TYPES.secret, SECRET) as unknown as { data: Record<string, string> };
    expect(trustedIn(fake)).toBe(Buffer.from(data['ca.crt'] ?? '', 'base64').toString());
  });

  test('replaces what somebody has broken in the Secret', async () => {
    const fake = cluster();
    fake.put(TYPES.secret, { metadata: SECRET, data: { 'tls.crt': 'AAAA' }, type: 'kubernetes.io/tls' });
    const port = await start(fake).listening;
    expect(fake.writes).toContain(`replace secrets/${SECRET.name}`);
    expect(await served(port, trustedIn(fake))).toBeDefined();
  });

  test('serves though the CRD is not there yet, and writes into it once it is', async () => {
    const fake = new FakeCluster();
    const conversions = start(fake);
    await conversions.listening;
    await expect(conversions.check()).rejects.toThrow(
      'there is no CRD webapps.acme.dev: apply the one of this operator',
    );
    fake.put(TYPES.customResourceDefinition, crdOf(webApp, webhookOf(OPERATOR)));
    await conversions.check();
    expect(trustedIn(fake)).toContain('BEGIN');
  });

  test('names a CRD that is older than its versions', async () => {
    const fake = new FakeCluster();
    fake.put(TYPES.customResourceDefinition, { metadata: CRD, spec: { conversion: { strategy: 'None' } } });
    const conversions = start(fake);
    await conversions.listening;
    await expect(conversions.check()).rejects.toThrow('has no spec.conversion by a webhook');
    expect(fake.writes).toEqual([`create secrets/${SECRET.name}`]);
  });

  test('tries again where it may not read its Secret', async () => {
    const fake = cluster();
    fake.before = (call) => {
      if (call.startsWith('get secrets')) throw new ApiError(403, { reason: 'Forbidden', message: 'forbidden' });
    };
    const conversions = start(fake);
    await expect(conversions.check()).rejects.toThrow('forbidden');
    fake.before = () => {};
    await conversions.check();
    expect(await conversions.listening).toBeGreaterThan(0);
  });

  test('ends though it could never begin', async () => {
    const fake = cluster();
    fake.before = () => {
      throw new ApiError(503, {});
    };
    const conversions = start(fake);
    await conversions.close();
    await expect(conversions.listening).rejects.toThrow('it was closed');
  });
});

describe('a certificate of somebody else', () => {
  const write = (folder: string, { certificate, key }: ReturnType<typeof selfSigned>) => {
    writeFileSync(join(folder, 'tls.crt'), certificate);
    writeFileSync(join(folder, 'tls.key'), key);
  };

  test('is served from files, and again when they change; a half of the next one is not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'conversion-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const host = `${SECRET.name}.${SECRET.namespace}.svc`;
    const [first, second] = [selfSigned('first', [host]), selfSigned('second', [host])];
    const fake = cluster();
    const conversions = start(fake, { certificateDirectory: folder });
    await expect(conversions.check()).rejects.toThrow('ENOENT');
    write(folder, first);
    await conversions.check();
    const port = await conversions.listening;
    expect((await served(port, first.certificate)).subject).toBe('CN=first');
    writeFileSync(join(folder, 'tls.crt'), second.certificate);
    await expect(conversions.check()).rejects.toThrow('must be a certificate and its key');
    expect((await served(port, first.certificate)).subject).toBe('CN=first');
    write(folder, second);
    await conversions.check();
    expect((await served(port, second.certificate)).subject).toBe('CN=second');
    expect(fake.writes).toEqual([]);
  });
});

describe('who asks', () => {
  test.for([
    ['another path', { path: '/' }, '{}', 404, 'there is /convert\n'],
    ['another method', { method: 'GET' }, '', 405, 'a ConversionReview is posted\n'],
    ['too much', {}, Buffer.alloc(8 * 2 ** 20 + 1), 413, 'a request has at most 8388608 bytes\n'],
  ] as const)('for %s is refused', async ([, how, body, status, words]) => {
    const fake = cluster();
    const port = await start(fake).listening;
    const answer = await ask(port, trustedIn(fake), body, how).catch((error: NodeJS.ErrnoException) => error.code);
    // One who still sends may not get to read the answer.
    if (status === 413 && typeof answer === 'string') expect(answer).toMatch(/^E(?:CONNRESET|PIPE)$/);
    else expect(answer).toEqual({ status, body: words });
  });

  test.for(['', 'text', '[', '{"a":1}', '\u0000', '"\ud800"'])('with %j gets a failure', async (body) => {
    const fake = cluster();
    const port = await start(fake).listening;
    const { status, body: answer } = await ask(port, trustedIn(fake), body);
    expect(status).toBe(200);
    expect(JSON.parse(answer)).toMatchObject({ response: { uid: '', result: { status: 'Failure' } } });
  });

  test('in clear text is not answered', async () => {
    const port = await start(cluster()).listening;
    await expect(fetch(`http://127.0.0.1:${port}/convert`)).rejects.toThrow('fetch failed');
  });

  test('and goes away leaves the server as it was', async () => {
    const fake = cluster();
    const port = await start(fake).listening;
    const ca = trustedIn(fake);
    await new Promise<void>((resolve) => {
      const call = request({ port, host: '127.0.0.1', servername: 'localhost', ca, path: '/convert', method: 'POST' });
      call.on('error', () => resolve());
      call.write('{');
      setTimeout(() => call.destroy(), 50);
    });
    await eventually(async () => expect(await ask(port, ca, review({}))).toMatchObject({ status: 200 }));
  });
});
