import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { writePrivately } from '../../cluster/private.ts';
import { cluster } from './support/cluster.ts';

const dir = dirname(cluster().kubeconfig);
const { ports } = JSON.parse(readFileSync(join(dir, 'cluster.json'), 'utf8')) as {
  readonly ports: { readonly etcd: number; readonly etcdPeer: number; readonly api: number };
};
const pki = (file: string): string => readFileSync(join(dir, 'pki', file), 'utf8');

/** Asks a port for a page over TLS; nobody checks who answers. */
const ask = (port: number, path: string, credentials: { readonly cert?: string; readonly key?: string } = {}) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...credentials });
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (answer += text));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  });

describe('another user of the machine', () => {
  test.each([
    ['etcd', ports.etcd, '/version'],
    ['the port of other etcds', ports.etcdPeer, '/members'],
  ])('gets no answer from %s', async (_, port, path) => {
    await expect(ask(port, path)).rejects.toThrow(/certificate required|ECONNRESET/);
  });

  test('gets no answer from etcd in plain HTTP', async () => {
    await expect(fetch(`http://127.0.0.1:${ports.etcd}/version`)).rejects.toThrow('fetch failed');
  });

  test('gets no answer from etcd with the certificate of the API server', async () => {
    const credentials = { cert: pki('apiserver.crt'), key: pki('apiserver.key') };
    await expect(ask(ports.etcd, '/version', credentials)).rejects.toThrow(/bad certificate|unknown ca|ECONNRESET/);
  });

  test('sees nothing of the cluster by the API server without a token', async () => {
    for (const path of ['/api/v1/secrets', '/api/v1/namespaces', '/metrics', '/logs/'])
      expect(await ask(ports.api, path)).toMatch(/^HTTP\/1.1 40[13] /);
  });

  test('finds no folder that it may enter, and outside of those no file that it may read', () => {
    const open = (folder: string): readonly string[] =>
      readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        return (lstatSync(path).mode & 0o077) === 0 ? [] : [path];
      });
    expect([dir, lstatSync(dir).mode & 0o777]).toEqual([dir, 0o700]);
    expect(open(dir)).toEqual([]);
    // The API server makes its own certificate, which is no secret.
    expect(open(join(dir, 'pki')).filter((path) => !path.endsWith('/apiserver.crt'))).toEqual([]);
  });
});

test('its owner gets an answer from etcd', async () => {
  const credentials = { cert: pki('etcd.crt'), key: pki('etcd.key') };
  expect(await ask(ports.etcd, '/version', credentials)).toContain('"etcdserver"');
});

test('a file that was open to others is closed when it is written again', () => {
  const file = join(dir, 'open');
  writeFileSync(file, 'before', { mode: 0o644 });
  writePrivately(file, 'after');
  expect([readFileSync(file, 'utf8'), lstatSync(file).mode & 0o777]).toEqual(['after', 0o600]);
});
