import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { meterSync } from '../../../operator/engine/telemetry/sync-meter.ts';
import {
  ApiError,
  digestOf,
  type KubeObject,
  type ListOptions,
  Reflector,
  Store,
} from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { initialEnd, object } from './support/fake-api-server.ts';

describe('what it never does', () => {
  test.each(['streams', 'lists'])('hold the event loop for long while it %s 10,000 objects', async (how) => {
    const objects = Array.from({ length: 10_000 }, (_, index) => object(`object-${index}`, index + 1));
    const lines = [...objects.map((made) => ({ type: 'ADDED', object: made })), initialEnd(20_000)];
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
      bytes.subarray(index * 65_536, (index + 1) * 65_536),
    );
    // All of it is there at once, which is harder than any network.
    const client = {
      watch: async () => (how === 'streams' ? Readable.from(chunks) : Promise.reject(new ApiError(422, {}))),
      list: async (_type: unknown, { limit = 0, continue: token = '0' }: ListOptions) => {
        const end = Number(token) + limit;
        const items = objects.slice(Number(token), end) as KubeObject[];
        return { metadata: { resourceVersion: '20000', continue: end < objects.length ? `${end}` : '' }, items };
      },
    };
    const store = new Store<string>({ transform: (kept) => digestOf(kept) });
    const reflector = new Reflector({ client, type: TYPES.configMap, store });
    onTestFinished(() => reflector.stop());
    const metered = meterSync();
    reflector.start();
    await reflector.synced;
    const { longestTurnSeconds } = metered();
    expect(store.size).toBe(10_000);
    expect(longestTurnSeconds).toBeLessThan(0.05);
  });
});
