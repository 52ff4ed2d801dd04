import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import { CONFIG_MAP, SERVICE, WIDGET, widget } from '../../support/widget.ts';
import type { Widget } from '../../support/widget.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { apply, child, get, inPhase, operate, serveWidgets } from '../support/widgets.ts';

const admin = adminClient();

serveWidgets();

type AnyKind = Kind<Widget, { readonly draining: boolean }>;

/** A kind with two faults, which a user meets by what a spec says. */
const faulty: AnyKind = {
  ...widget,
  reconcile: (snapshot, now) => {
    const { message } = snapshot.resource.spec;
    if (message === 'throws') throw new TypeError('the spec was not expected');
    if (message === 'spins') for (;;);
    return widget.reconcile(snapshot, now);
  },
};

const stalled = async (namespace: string, name: string) =>
  (await get(namespace, name)).status?.conditions?.find(({ type }) => type === 'Stalled');

test('a widget at which the operator fails is told so, and all others are served', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace, { kinds: [faulty] });
  await apply(namespace, 'bad', { message: 'throws', replicas: 1 });
  await apply(namespace, 'good', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'good', 'Running');
  await eventually(async () =>
    expect(await stalled(namespace, 'bad')).toMatchObject({
      status: 'True',
      reason: 'ReconcileError',
      message: expect.stringContaining('TypeError: the spec was not expected'),
    }),
  );
  await apply(namespace, 'bad', { message: 'good now', replicas: 1 });
  await inPhase(namespace, 'bad', 'Running');
  expect(await stalled(namespace, 'bad')).toBeUndefined();
});

test('widgets that would hold the main loop forever are set aside, also by the next operator, and delay nobody', async () => {
  const namespace = await testNamespace(admin);
  const ports: number[] = [];
  const started = { started: (port: number) => void ports.push(port) };
  const stop = await operate(namespace, { kinds: [faulty], ...started });
  const names = ['spin-a', 'spin-b', 'spin-c'];
  for (const name of names) await apply(namespace, name, { message: 'spins', replicas: 1 });
  await eventually(
    async () => {
      for (const name of names) expect((await stalled(namespace, name))?.reason).toBe('SetAside');
    },
    { timeout: 120_000 },
  );
  await stop();

  await operate(namespace, { kinds: [faulty], ...started });
  const began = performance.now();
  await apply(namespace, 'good', { message: 'hello', replicas: 1 });
  await eventually(() => child(SERVICE, namespace, 'good'));
  expect(performance.now() - began).toBeLessThan(5_000);
  const text = await (await fetch(`http://127.0.0.1:${ports.at(-1)}/metrics`)).text();
  expect(text).toContain('controller_runtime_reconcile_panics_total{controller="Widget"} 0');
  expect(text).toMatch(/trunnion_resource_condition\{[^}]*name="spin-a"[^}]*condition="Stalled"\} 1/);
});

test('a status that is too large for the API server is reported in a small one', async () => {
  const namespace = await testNamespace(admin);
  const large: AnyKind = {
    ...widget,
    reconcile: (snapshot, now) => {
      const result = widget.reconcile(snapshot, now);
      if (snapshot.resource.spec.message !== 'large') return result;
      return { ...result, status: { ...result.status, phase: 'x'.repeat(2_500_000) } };
    },
  };
  await operate(namespace, { kinds: [large] });
  await apply(namespace, 'w', { message: 'large', replicas: 1 });
  await eventually(async () => expect((await stalled(namespace, 'w'))?.reason).toBe('StatusTooLarge'));
  expect(await child(CONFIG_MAP, namespace, 'w')).toMatchObject({ data: { message: 'large' } });
  await admin.delete(WIDGET, { namespace, name: 'w' });
  await eventually(async () => expect(await admin.find(WIDGET, { namespace, name: 'w' })).toBeUndefined());
});
