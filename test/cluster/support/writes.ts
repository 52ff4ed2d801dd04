import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { mark, type Mark, type Mutation, mutationsSince } from './audit.ts';
import { eventually } from './eventually.ts';
import { OPERATOR_USER } from './operator.ts';

/** So long nothing is written before an operator is said to rest, in milliseconds. */
const CALM_MS = 2_000;

/** What the operator's account has written since. */
export async function operatorWrites(admin: KubeClient, from: Mark): Promise<readonly Mutation[]> {
  return (await mutationsSince(admin, from)).filter(({ user }) => user === OPERATOR_USER);
}

/** Waits until the operator writes nothing any more: on a busy machine its last event may be late. */
export const rest = (admin: KubeClient): Promise<void> =>
  eventually(
    async () => {
      const from = mark();
      await sleep(CALM_MS);
      expect(await operatorWrites(admin, from)).toEqual([]);
    },
    { timeout: 30_000 },
  );
