import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { WIDGET } from '../../support/widget.ts';
import type { FakeApi } from './fake-api.ts';
import { Process, cluster, converge } from './reconcile-world.ts';

/** An object without what differs between two lives. */
function essence({ metadata, status, ...rest }: KubeObject): object {
  const { uid: _, resourceVersion: __, managedFields: ___, ownerReferences, ...meta } = metadata;
  const timeless = JSON.stringify(status)?.replaceAll(/"lastTransitionTime":"[^"]*"/g, '');
  return { ...rest, status: timeless, metadata: { ...meta, owned: ownerReferences !== undefined } };
}

const endOf = (api: FakeApi): readonly object[] =>
  [...api.objects.entries()].sort(([a], [b]) => a.localeCompare(b)).map(([, object]) => essence(object));

describe('an operator that is killed', () => {
  /** A life: made, run, changed, a child pruned. */
  async function live(api: FakeApi, process: () => Process): Promise<void> {
    await converge(api, process());
    api.edit(WIDGET, 'w', { spec: { message: 'changed', service: false } });
    await converge(api, process());
  }

  async function clean() {
    const { api, process } = cluster({ job: true, keep: true });
    await live(api, () => process);
    return { end: endOf(api), writes: api.calls.length };
  }

  it.each(['before its effect', 'after its effect'] as const)(
    'at any write, %s, comes to the same end, and makes nothing twice',
    async (when) => {
      const { end, writes } = await clean();
      for (let fatal = 1; fatal <= writes; fatal++) {
        const { api, clock, process: first } = cluster({ job: true, keep: true });
        let process = first;
        let count = 0;
        api.fault = () => {
          count += 1;
          if (count !== fatal) return undefined;
          return { error: new Error('killed'), when };
        };
        await live(api, () => process).catch(() => {
          process = new Process(api, clock);
          return live(api, () => process);
        });
        expect({ fatal, end: endOf(api) }).toEqual({ fatal, end });
        expect(api.made).toEqual([...new Set(api.made)]);
      }
    },
  );
});
