import { expect, onTestFinished, test } from 'vitest';
import { convertForOperator, type OperatorConversions } from '../../../operator/conversion/index.ts';
import { createLogger } from '../../../operator/engine/telemetry/index.ts';
import { FakeApiServer, status } from '../kube/support/fake-api-server.ts';
import { plain, webApp } from './support/kinds.ts';

/** What an operator converts that runs by a kubeconfig. */
function converting(options: Partial<OperatorConversions>) {
  const warnings: string[] = [];
  const log = createLogger('silent');
  log.warn = (text: unknown) => void warnings.push(String(text));
  const conversions = convertForOperator({
    kinds: [{ schema: plain }, { schema: webApp }, {}],
    settings: undefined,
    connection: { from: 'kubeconfig' },
    name: 'acme-operator',
    namespace: 'acme',
    labels: {},
    log,
    ...options,
  });
  return { conversions, warnings };
}

test('nothing is converted where no kind has anything to convert, and where that is said', () => {
  expect(converting({ kinds: [{ schema: plain }, {}, { schema: undefined }] })).toEqual({ warnings: [] });
  expect(converting({ settings: false })).toEqual({ warnings: [] });
});

test('outside of a cluster it is said that nothing is converted, and what to do', () => {
  const { conversions, warnings } = converting({});
  expect(conversions).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(/^WebApp can't be read and written in other versions/)]);
});

test('an operator outside of the cluster converts where it is told how', async () => {
  const server = await FakeApiServer.start({ other: [status(403)] });
  const fixed = { url: server.url, ca: server.certificate.cert, authorization: 'Bearer t', namespace: 'default' };
  const { conversions } = converting({
    settings: { namespace: 'other', port: 0, host: '127.0.0.1' },
    connection: { from: 'fixed', connection: fixed },
  });
  onTestFinished(() => conversions?.close());
  await expect
    .poll(() => server.received.map(({ path }) => path))
    .toContain('/api/v1/namespaces/other/secrets/acme-operator-conversion');
});
