import { TRUNNION } from '../../../operator/trunnion.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import { runOperator } from '../../../operator/operator.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { CONFIG_MAP, widget } from '../../support/widget.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { apply, child, inPhase, operate, quiet, serveWidgets } from '../support/widgets.ts';

const admin = adminClient();

serveWidgets();

test('of two operators one works, and the other takes over when it stops', async () => {
  const namespace = await testNamespace(admin);
  const leaderElection = { namespace };
  const stopFirst = await operate(namespace, { leaderElection });
  await apply(namespace, 'w', { message: 'hello', replicas: 1 });
  await inPhase(namespace, 'w', 'Running');
  await operate(namespace, { leaderElection });
  await quiet(namespace);
  await stopFirst();
  await apply(namespace, 'w', { message: 'changed', replicas: 1 });
  await eventually(async () => {
    expect((await child(CONFIG_MAP, namespace, 'w'))['data']).toEqual({ message: 'changed' });
  });
});

test('an operator whose lease another has taken ends with an error, so that it is started again', async () => {
  const namespace = await testNamespace(admin);
  const ended = Promise.withResolvers<unknown>();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const token = cluster().token;
  const { url, ca } = cluster();
  void runOperator({
    connection: { from: 'fixed', connection: { url, ca, authorization: `Bearer ${token}`, namespace } },
    identity: TRUNNION,
    kinds: [widget],
    namespace,
    port: 0,
    host: '127.0.0.1',
    leaderElection: { namespace },
    log: createLogger('silent'),
    signal: stop.signal,
  }).then(ended.resolve, ended.resolve);
  const lease = { namespace, name: 'trunnion-operator' };
  await eventually(() => admin.get(TYPES.lease, lease));
  await admin.patch(TYPES.lease, lease, {
    spec: { holderIdentity: 'another', renewTime: '2099-01-01T00:00:00.000000Z' },
  });
  expect(await ended.promise).toMatchObject({ message: expect.stringContaining('leadership was lost') as string });
});
