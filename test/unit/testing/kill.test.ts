import { expect, test } from 'vitest';
import { killAtEachWrite, type Life } from '../../../testing/index.ts';
import type { Kind } from '../../../operator/engine/api/index.ts';
import { widget, type Widget, type WidgetStatus } from '../../support/widget.ts';

const given = { name: 'w', spec: { message: 'hello', replicas: 1, job: true } };

async function scenario(life: Life<Widget>): Promise<void> {
  await life.settle();
  life.fail('Job');
  await life.settle();
  await life.rollOut();
  life.edit((spec) => ({ ...spec, message: 'hello again', replicas: 3 }));
  await life.rollOut();
  life.delete();
  await life.settle();
}

test('a life ends the same whenever the operator was killed', async () => {
  expect(await killAtEachWrite(widget, given, scenario)).toEqual({ writes: 17 });
});

/** It makes the Job again for each message, and says so in the status: once it has said so, it does not look back. */
const careless: Kind<Widget, { readonly draining: boolean }> = {
  ...widget,
  reconcile: (snapshot, now) => {
    const result = widget.reconcile(snapshot, now);
    const { spec, status } = snapshot.resource;
    const done = (status as { readonly message?: string } | undefined)?.message;
    return {
      ...result,
      status: { ...result.status, message: spec.message } as WidgetStatus,
      replace: done !== undefined && done !== spec.message ? ['job'] : [],
    };
  },
};

test('what is said to be done before it is done stays undone after a kill, and is told with the write', async () => {
  const withoutEnd = async (life: Life<Widget>) => {
    await life.rollOut();
    life.edit((spec) => ({ ...spec, message: 'hello again' }));
    await life.rollOut();
  };
  await expect(killAtEachWrite(careless, given, withoutEnd)).rejects.toThrow(
    'the operator was killed after write 8 (status Widget/w), and the life ended otherwise: Job/default/w.timesMade: 2 without the kill, 1 with it',
  );
});

test('what a scenario itself expects, and finds in no life with a kill, is told with the write', async () => {
  await expect(
    killAtEachWrite(widget, given, async (life) => {
      await life.settle();
      expect(life.passes).toBe(2);
    }),
  ).rejects.toThrow('the operator was killed after write 1 (patch Widget/w): expected');
});
