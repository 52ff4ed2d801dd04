import { TRUNNION } from '../../../operator/trunnion.ts';
import { expect, it } from 'vitest';
import { KindGate } from '../../../operator/engine/cache/kind-gate.ts';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { GADGET } from '../../support/widget.ts';

/** A cluster that serves what it is told to. */
function world(served: Set<string>) {
  const reported: string[] = [];
  const state = { forbidden: false, lists: 0 };
  const gate = new KindGate({
    identity: TRUNNION,
    client: {
      list: () => {
        state.lists += 1;
        return state.forbidden
          ? Promise.reject(new ApiError(403, { message: 'no' }))
          : Promise.resolve({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '1' }, items: [] });
      },
    },
    discovery: { isServed: ({ plural }: ResourceType) => Promise.resolve(served.has(plural)) },
    log: (_, why) => reported.push(why),
  });
  return { gate, reported, state };
}

it('takes a kind that is served as ours is, and looks but once whether it may', async () => {
  const { gate, reported, state } = world(new Set(['gadgets', 'gadgets/status']));
  expect([await gate.isEnabled(GADGET), await gate.isEnabled(GADGET)]).toEqual([true, true]);
  expect(state.lists).toBe(1);
  expect(reported).toEqual([]);
});

it('says nothing of one that is not served', async () => {
  const { gate, reported } = world(new Set());
  expect(await gate.isEnabled(GADGET)).toBe(false);
  expect(reported).toEqual([]);
});

it('leaves one to others whose CRD is not ours or is older, and names it once', async () => {
  const { gate, reported } = world(new Set(['gadgets']));
  expect([await gate.isEnabled(GADGET), await gate.isEnabled(GADGET)]).toEqual([false, false]);
  expect(reported).toEqual([
    expect.stringMatching(/^the CRD gadgets\.test\.trunnion\.dev is .* older .*; run trunnion install --compat$/),
  ]);
});

it('leaves one to others that it has no right to, until it has', async () => {
  const { gate, reported, state } = world(new Set(['gadgets', 'gadgets/status']));
  state.forbidden = true;
  expect(await gate.isEnabled(GADGET)).toBe(false);
  expect(reported).toEqual([expect.stringContaining('has no right to it')]);
  state.forbidden = false;
  expect(await gate.isEnabled(GADGET)).toBe(true);
});
