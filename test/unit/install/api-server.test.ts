import { expect, test } from 'vitest';
import { withApiServerPort } from '../../../cli/install/api-server.ts';

const listening = (...ports: readonly number[]) => ({
  list: () => Promise.resolve({ metadata: {}, items: [{ ports: ports.map((port) => ({ port })) }] } as never),
});

test.each([
  ['a port of its own', listening(16_443), {}, { apiServer: { port: 16_443 } }],
  ['6443, which is open', listening(6443), {}, {}],
  ['443, which is open', listening(443), {}, {}],
  ['a port that is said already', listening(16_443), { apiServer: { port: 8443 } }, { apiServer: { port: 8443 } }],
  [
    'egress that is said whole',
    listening(16_443),
    { networkPolicy: { egress: [] } },
    { networkPolicy: { egress: [] } },
  ],
  ['nobody tells which', { list: () => Promise.reject(new Error('forbidden')) }, {}, {}],
  ['no endpoints', listening(), {}, {}],
])('an installation finds out the port of the API server: %s', async (_what, client, settings, expected) => {
  expect(await withApiServerPort(client, settings)).toEqual(expected);
});
