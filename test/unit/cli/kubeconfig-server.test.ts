import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { FakeApiServer, json, status } from '../kube/support/fake-api-server.ts';
import { selfSigned } from '../weights/support/certificate.ts';
import { base64, deadPort, kubeconfig, listening, said } from './support/kubeconfig.ts';

describe('a server that does not answer is told with its context and its file:', () => {
  const from = (url: string) => `error: no answer from the API server ${url} (context "prod" of FILE): `;

  test('nothing listens there', async () => {
    const url = `https://127.0.0.1:${await deadPort()}`;
    const began = performance.now();
    expect(await said(kubeconfig({ server: url }))).toBe(
      `${from(url)}nothing listens there (ECONNREFUSED). Start the cluster, or correct the server in the context.`,
    );
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('a name that is not known', async () => {
    const url = 'https://no-such-host.invalid:6443';
    expect(await said(kubeconfig({ server: url }))).toMatch(
      /its name is not known \((ENOTFOUND|EAI_AGAIN)\)\. Correct the server in the context, or connect to the network or VPN that knows it\.$/,
    );
  });

  test('plain HTTP where TLS is meant', async () => {
    const url = `https://127.0.0.1:${await listening(createHttpServer((_, response) => response.end('{}')))}`;
    expect(await said(kubeconfig({ server: url }))).toBe(
      `${from(url)}what listens there does not speak TLS. Check the port of the server in the context.`,
    );
  });

  test('a server that takes connections and closes them', async () => {
    const url = `https://127.0.0.1:${await listening(createServer((socket) => socket.destroy()))}`;
    expect(await said(kubeconfig({ server: url }))).toBe(
      `${from(url)}the connection was closed without an answer (ECONNRESET). Something else may listen there: check the port.`,
    );
  });

  test.for([
    [
      'of another CA',
      () => [selfSigned(), selfSigned().cert],
      /its certificate is not of the CA in the kubeconfig \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    ],
    [
      'that has expired',
      () => own(selfSigned(undefined, -1)),
      /its certificate is not valid today \(CERT_HAS_EXPIRED\)/,
    ],
    [
      'for another name',
      () => own(selfSigned('elsewhere.example.org')),
      /its certificate is for other names \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    ],
  ] as const)('a certificate %s', async ([, make, expected]) => {
    const [certificate, ca] = make();
    const server = await FakeApiServer.start({ other: [json({})] }, certificate as ReturnType<typeof selfSigned>);
    const file = kubeconfig({ server: server.url, 'certificate-authority-data': base64(ca as string) });
    expect(await said(file)).toMatch(expected);
  });

  test('credentials that have expired', async () => {
    const server = await FakeApiServer.start({ list: [status(401)], other: [status(401)] });
    const file = kubeconfig({ server: server.url, 'certificate-authority-data': base64(server.certificate.cert) });
    expect(await said(file)).toMatch(
      /^error: the API server \S+ \(context "prod" of FILE\) does not accept the credentials of the user "ann": .+\. They may have expired: log in again, or renew the token or the certificate\.$/,
    );
  });
});

const own = (certificate: ReturnType<typeof selfSigned>) => [certificate, certificate.cert] as const;
