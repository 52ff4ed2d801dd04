import { expect, test } from 'vitest';
import { isNotFound } from '../../../operator/kube/index.ts';
import { CONFIG_MAP, DEPLOYMENT, SERVICE, WIDGET } from '../../support/widget.ts';
import { mark } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { apply, child, inPhase, operate, ours, quiet, serveWidgets } from '../support/widgets.ts';

const admin = adminClient();

serveWidgets();

test('a widget that is deleted takes its Service away first, then goes with all that it owns, and is not created again', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
  await quiet(namespace);
  const since = mark();
  await admin.delete(WIDGET, { namespace, name: 'w' }, { propagationPolicy: 'Background' });
  for (const type of [WIDGET, SERVICE, DEPLOYMENT, CONFIG_MAP]) {
    await eventually(() => expect(child(type, namespace, 'w')).rejects.toSatisfy(isNotFound), COLLECTED);
  }
  const writes = (await ours(namespace, since)).filter((write) => !/events|status/.test(write));
  expect(writes).toEqual(['delete services/w 200', 'patch widgets/w 200']);
});

test('a widget that is deleted in the foreground ends as well, though its children go before it', async () => {
  const namespace = await testNamespace(admin);
  await operate(namespace);
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
  await admin.delete(WIDGET, { namespace, name: 'w' }, { propagationPolicy: 'Foreground' });
  for (const type of [WIDGET, SERVICE, DEPLOYMENT, CONFIG_MAP]) {
    await eventually(() => expect(child(type, namespace, 'w')).rejects.toSatisfy(isNotFound), COLLECTED);
  }
});
