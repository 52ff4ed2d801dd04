import { expect, test } from 'vitest';
import { simulate } from '../../../testing/index.ts';
import { widget } from '../../support/widget.ts';

const spec = { message: 'hello', replicas: 1 };

const settled = async (kind: typeof widget = widget) => {
  const life = simulate(kind, { name: 'w', spec });
  await life.settle();
  return life;
};

test('a name that means no object is told with those that there are', async () => {
  const life = await settled();
  expect(() => life.object('StatefulSet')).toThrow('there is no StatefulSet; there are: Widget/w, ConfigMap/w');
  expect(() => life.ready('Deployment/web')).toThrow('there is no Deployment/web');
  expect(() => life.object('a/b/c/d')).toThrow('an object is named by KIND, KIND/NAME or KIND/NAMESPACE/NAME');
  expect(() => life.object('')).toThrow('(got "")');
  life.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } });
  expect(() => life.object('ConfigMap')).toThrow(
    'there are 2 of ConfigMap, so say which: ConfigMap/w, ConfigMap/other',
  );
  expect(life.object('configmap/other').metadata.namespace).toBe('default');
});

test('a condition that is not there is told with those that are', async () => {
  const life = await settled();
  expect(() => life.condition('Redy')).toThrow('there is no condition Redy; there are: Ready');
});

test('what is neither a time nor a duration is told with what is', async () => {
  const life = await settled();
  for (const wrong of ['10 minutes', '', '-1s', '1.5h', 'm', Number.NaN, -1, Infinity]) {
    expect(() => life.advance(wrong)).toThrow('a duration must be milliseconds, or whole numbers with units');
  }
  await life.advance('1d2h3m4s5ms');
  expect(life.now - Date.parse('2026-01-01')).toBe(93_784_005);
  expect(() => simulate(widget, { spec, now: 'noon' })).toThrow('now must be a Date, a time in RFC 3339');
});

test('a test that does not wait is told so', async () => {
  const life = simulate(widget, { spec });
  const working = life.settle();
  expect(() => life.status).toThrow('write await before settle, advance and rollOut');
  expect(() => life.edit((before) => before)).toThrow('write await');
  await working;
  expect(life.status.phase).toBe('Deploying');
});

test('what a function of the kind throws ends the test, with where it was', async () => {
  const broken: typeof widget = {
    ...widget,
    reconcile: () => {
      throw new RangeError('not in my house');
    },
  };
  await expect(settled(broken)).rejects.toMatchObject({
    message: expect.stringContaining(
      'Widget default/w: the step "decide" failed: RangeError: not in my house',
    ) as string,
    cause: expect.any(RangeError) as unknown,
  });
});

test('a reconcile without an end is ended, and told', async () => {
  const endless: typeof widget = {
    ...widget,
    reconcile: () => {
      for (;;);
    },
  };
  await expect(settled(endless)).rejects.toThrow('took more than');
}, 30_000);

test('a kind that gives two answers to one question is told where they differ', async () => {
  let calls = 0;
  const counting: typeof widget = {
    ...widget,
    reconcile: (snapshot, now) => {
      const result = widget.reconcile(snapshot, now);
      return { ...result, status: { ...result.status, retries: (calls += 1) } };
    },
  };
  await expect(settled(counting)).rejects.toThrow(
    'gave two answers to the same question: status.retries: 1 at first, 2 then',
  );
});

test('a kind that changes what it is given is told so', async () => {
  const writing: typeof widget = {
    ...widget,
    reconcile: (snapshot, now) => {
      (snapshot.resource.spec as { message: string }).message = 'mine';
      return widget.reconcile(snapshot, now);
    },
  };
  await expect(settled(writing)).rejects.toThrow("Cannot assign to read only property 'message'");
});

test('an operator that never rests is told what it writes, and what changes in that', async () => {
  const restless: typeof widget = {
    ...widget,
    reconcile: (snapshot, now) => {
      const result = widget.reconcile(snapshot, now);
      return { ...result, status: { ...result.status, retries: (snapshot.resource.status?.retries ?? 0) + 1 } };
    },
  };
  await expect(settled(restless)).rejects.toThrow(
    /it does not come to rest: after 200 passes another one is due\. Of late it wrote .*status Widget\/w \(\d+ times\).* The last two differ: status\.retries: \d+ at first, \d+ then/,
  );
});

test('an operator that wants to be called at once, forever, is told so', async () => {
  const eager: typeof widget = {
    ...widget,
    reconcile: (snapshot, now) => ({ ...widget.reconcile(snapshot, now), requeueAt: now }),
  };
  await expect(settled(eager)).rejects.toThrow('requeueAt must be later than now');
  const soon: typeof widget = {
    ...widget,
    reconcile: (snapshot, now) => ({ ...widget.reconcile(snapshot, now), requeueAt: now + 1 }),
  };
  const life = await settled(soon);
  await expect(life.advance('1h')).rejects.toThrow('it wants to be called 5000 times within 3600 s');
}, 60_000);

test('a child whose type the kind does not name is told', async () => {
  const narrow: typeof widget = { ...widget, childTypes: widget.childTypes.filter(({ kind }) => kind !== 'Service') };
  await expect(settled(narrow)).rejects.toThrow('/Service is no childType of Widget');
});

test('what can not fail, and what is not refused, is told', async () => {
  const life = await settled();
  expect(() => life.fail('ConfigMap')).toThrow('nothing here knows how ConfigMap w fails');
  expect(() => life.allow('Service')).toThrow('nothing is refused for Service; what is refused: nothing');
  expect(() => life.refuse('Service', { status: 200 })).toThrow('status must be an HTTP status from 400 to 599');
});

test('a value that is not plain data is told', async () => {
  const life = await settled();
  expect(() => life.answer('db', { call: () => 1 })).toThrow('the answer to db must be plain data, as JSON has it');
  const withFunction = { ...spec, message: (() => 1) as unknown as string };
  expect(() => life.edit(() => withFunction)).toThrow('the spec must be plain data');
  expect(() => simulate(widget, { spec: withFunction })).toThrow('the spec must be plain data');
  expect(() => simulate(widget)).toThrow('give the spec, as in simulate(WebApp, { spec: { … } })');
  expect(() => life.start('ConfigMap')).toThrow("ConfigMap/w makes no pods, so it can't start");
});
