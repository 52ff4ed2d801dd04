import { describe, expect, it } from 'vitest';
import { CONFIG_MAP, WIDGET } from '../../support/widget.ts';
import type { FakeClock } from './fake-clock.ts';
import { cluster, converge, resourceOf } from './reconcile-world.ts';

/** With a backoff, but within five seconds: a watch that catches up with a version alone wakes nobody. */
const lookingAgain = (clock: FakeClock) => ({ retry: true, requeueAt: clock.now() + 5_000 });

/** A widget that runs; then something happens to it of which its watch does not tell, and its ConfigMap goes. */
async function changedUnheard(change: (api: ReturnType<typeof cluster>['api']) => void) {
  const { api, clock, process } = cluster();
  await converge(api, process);
  process.deaf = true;
  change(api);
  process.deaf = false;
  api.drop(CONFIG_MAP, 'w');
  api.calls.length = 0;
  return { api, clock, process };
}

describe('a pass that would change something', () => {
  it('makes nothing for a resource that is gone, though no watch has told so, and asks again until one does', async () => {
    const { api, clock, process } = await changedUnheard((there) => there.drop(WIDGET, 'w'));
    expect(await process.pass()).toEqual(lookingAgain(clock));
    expect(await process.pass()).toEqual(lookingAgain(clock));
    expect(api.calls).toEqual([]);
  });

  it('makes nothing for another resource of its name', async () => {
    const { api, clock, process } = await changedUnheard((there) => {
      const { metadata, ...rest } = resourceOf(there);
      there.drop(WIDGET, 'w');
      there.put(WIDGET, { ...rest, metadata: { name: metadata.name, namespace: metadata.namespace } });
    });
    expect(await process.pass()).toEqual(lookingAgain(clock));
    expect(api.calls).toEqual([]);
  });

  it('makes it of the resource as it is, not as it was when last learned of', async () => {
    const { api, clock, process } = await changedUnheard((there) =>
      there.edit(WIDGET, 'w', { spec: { message: 'bye' } }),
    );
    expect(await process.pass()).toEqual(lookingAgain(clock));
    expect(api.calls).toEqual([]);
    await process.settle();
    expect(api.object(CONFIG_MAP, 'w')).toMatchObject({ data: { message: 'bye' } });
    expect(api.made.filter((name) => name === 'configmaps/w')).toHaveLength(2);
  });

  it('puts nothing back that was changed meanwhile with the resource', async () => {
    const { api, clock, process } = cluster();
    await converge(api, process);
    process.deaf = true;
    api.edit(WIDGET, 'w', { spec: { message: 'bye' } });
    process.deaf = false;
    api.edit(CONFIG_MAP, 'w', { data: { message: 'bye' } });
    api.calls.length = 0;
    expect(await process.pass()).toEqual(lookingAgain(clock));
    expect(api.calls).toEqual([]);
    await process.settle();
    expect(api.object(CONFIG_MAP, 'w')).toMatchObject({ data: { message: 'bye' } });
  });
});
