import { isLeftAlone } from '../../support/as-trunnion.ts';
import { describe, expect, it } from 'vitest';
import { CONFIG_MAP, DEPLOYMENT, WIDGET, WIDGET_FINALIZER } from '../../support/widget.ts';
import type { FakeApi } from './fake-api.ts';
import { cluster, converge, resourceOf, statusOf } from './reconcile-world.ts';

describe('a resource that is paused', () => {
  const pause = (api: FakeApi, value: string | undefined): void => {
    api.edit(WIDGET, 'w', { metadata: { annotations: { 'trunnion.dev/paused': value } } });
  };

  it('is left alone, says so, and continues afterwards', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    pause(api, 'for a while');
    api.edit(WIDGET, 'w', { spec: { message: 'changed', replicas: 1 } });
    api.edit(DEPLOYMENT, 'w', { metadata: { ...api.object(DEPLOYMENT, 'w')?.metadata, labels: {} } });
    const calls = api.calls.length;
    await process.settle();
    expect(api.calls.slice(calls)).toEqual(['apply widgets/w/status']);
    expect(statusOf(api)?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Paused', status: 'True', message: expect.stringContaining('"for a while"') }),
    );
    expect(isLeftAlone(resourceOf(api))).toBe(true);
    pause(api, 'for longer');
    expect(isLeftAlone(resourceOf(api))).toBe(false);

    pause(api, undefined);
    await converge(api, process);
    expect(statusOf(api)?.conditions?.map(({ type }) => type)).not.toContain('Paused');
    expect(api.object(CONFIG_MAP, 'w')).toMatchObject({ data: { message: 'changed' } });
  });

  it('makes nothing where it is new', async () => {
    const { api, process } = cluster();
    pause(api, 'from the start');
    await process.settle();
    expect(isLeftAlone(resourceOf(api))).toBe(true);
    expect([api.object(CONFIG_MAP, 'w'), resourceOf(api).metadata.finalizers ?? []]).toEqual([undefined, []]);
  });

  it('is not let go of while it is being deleted', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    pause(api, 'for a while');
    api.edit(WIDGET, 'w', { metadata: { ...resourceOf(api).metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await process.settle();
    expect(resourceOf(api).metadata.finalizers).toEqual([WIDGET_FINALIZER]);
  });
});
