import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate, type Life } from '../../../testing/index.ts';
import { widget, type Widget, type WidgetSpec } from '../../support/widget.ts';

const spec: fc.Arbitrary<Partial<WidgetSpec>> = fc.record(
  {
    message: fc.constantFrom('a', 'b'),
    replicas: fc.constantFrom(0, 1, 3),
    job: fc.boolean(),
    service: fc.boolean(),
    keep: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Something that happens; what can't happen now does not. */
type Happening = (life: Life<Widget>) => Promise<unknown> | void;

const onChild = (happens: (life: Life<Widget>, name: string) => void): fc.Arbitrary<Happening> =>
  fc.nat(5).map((n) => (life) => {
    const child = life.children[n];
    if (child !== undefined && child.deleting === undefined) happens(life, `${child.kind}/${child.name}`);
  });

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constant<Happening>((life) => life.settle()),
  fc.constantFrom('1s', '1m', '1h').map(
    (time): Happening =>
      (life) =>
        life.advance(time),
  ),
  spec.map(
    (change): Happening =>
      (life) =>
        life.edit((before) => ({ ...before, ...change })),
  ),
  onChild((life, name) => life.remove(name)),
  onChild((life, name) => life.ready(name)),
  onChild((life, name) => life.change(name, { metadata: { labels: { 'app.kubernetes.io/name': 'mine', team: 'a' } } })),
  onChild((life, name) => {
    if (/^(?:Job|Deployment)/.test(name)) life.fail(name);
  }),
  onChild((life, name) => {
    if (name.startsWith('Deployment')) life.change(name, { spec: { replicas: 9, paused: true } });
  }),
  fc.constant<Happening>((life) => life.restart()),
  fc.constant<Happening>((life) => life.refuse('Service')),
);

test('after any events the operator comes to rest, and all is as the spec says once nothing is refused any more', async () => {
  await fc.assert(
    fc.asyncProperty(spec, fc.array(happening, { maxLength: 8 }), async (first, happenings) => {
      const life = simulate(widget, { name: 'w', spec: { message: 'a', replicas: 1, ...first } });
      life.refuse('Service');
      for (const happens of happenings) await happens(life);
      life.allow('Service');
      await life.advance('10m');
      await life.rollOut();

      const fresh = simulate(widget, { name: 'w', spec: life.resource.spec });
      await fresh.rollOut();
      expect(wanted(life)).toEqual(wanted(fresh));
      life.restart();
      expect(await life.settle()).toMatchObject({ writes: [], passes: 1 });
    }),
    { numRuns: 60 },
  );
});

/** What the operator says that there be: by name, with the fields that it owns. A claim that was made once stays. */
const wanted = (life: Life<Widget>): object =>
  Object.fromEntries(
    life
      .objects()
      .filter(({ kind }) => ['ConfigMap', 'Deployment', 'Job', 'Service'].includes(kind))
      .map(({ kind, spec: is, data, metadata: { labels } }) => [
        kind,
        { is: { ...(is as object), paused: undefined }, data, labels: { ...labels, team: undefined } },
      ]),
  );
