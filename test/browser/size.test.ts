import { expect, test } from 'vitest';
import type { ResourceLine } from '../../cli/ui/api.ts';
import { axeFindings } from './support/axe.ts';
import { ago } from './support/fixtures/time.ts';
import { VIEWS, world } from './support/fixtures/world.ts';
import type { World } from './support/fake-server.ts';
import { logStream } from './support/streams.ts';
import { fitsWidth, look, shows, withBrowser } from './support/watched.ts';

withBrowser();

const resource = (index: number, more: Partial<ResourceLine> = {}): ResourceLine => ({
  kind: 'ModelServing',
  namespace: `team-${index % 20}`,
  name: `model-${index}`,
  phase: 'Running',
  message: 'All replicas serve requests.',
  state: 'ok',
  createdAt: ago(index),
  ...more,
});

/** A cluster with so many resources. */
const crowded = (count: number, more: Partial<ResourceLine> = {}): World => ({
  ...world(),
  overview: { resources: Array.from({ length: count }, (_, index) => resource(index, more)), notes: [] },
});

test('with 1,000 resources one change redraws one cell, and a filter answers before one notices', async () => {
  const { page, fake } = await look({}, crowded(1_000));
  await shows(page, '1000 resources');
  await page.evaluate(() => {
    const changes: MutationRecord[] = [];
    Object.assign(window, { changes });
    const observer = new MutationObserver((records) => changes.push(...records));
    observer.observe(document.querySelector('tbody') as Element, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  const { overview } = fake.world;
  const [first, ...rest] = overview.resources;
  if (first !== undefined)
    fake.world.overview = { ...overview, resources: [{ ...first, message: 'A new message.' }, ...rest] };
  await shows(page, 'A new message.');
  expect(await page.evaluate(() => (window as unknown as { changes: unknown[] }).changes.length)).toBeLessThan(10);
  // Typing eleven letters redraws the list eleven times, which takes about a second; beside other parts, several.
  const began = performance.now();
  await page.evaluate(async () => {
    const field = document.querySelector('#filter') as HTMLInputElement;
    for (const length of Array.from({ length: 11 }, (_, index) => index + 1)) {
      field.value = 'model-99 ru'.slice(0, length);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });
  expect(performance.now() - began).toBeLessThan(10_000);
  await shows(page, '11 of 1000 resources');
});

const HOSTILE = '<img src=x onerror="alert(1)">&lt;b&gt;<script>alert(1)</script>';
const LONG = 'x'.repeat(253);

test('text of others is text', async () => {
  const of = crowded(1, { message: HOSTILE, phase: HOSTILE, name: 'evil' });
  const resnet = of.details['research/DistributedTraining/resnet-nightly'];
  if (resnet === undefined) throw new Error('no fixture');
  const events = resnet.events.map((event) => ({ ...event, message: HOSTILE, reason: HOSTILE }));
  const conditions = [{ type: HOSTILE, status: 'True', reason: HOSTILE, message: HOSTILE }];
  const status = { ...resnet.status, conditions, notes: [HOSTILE], result: HOSTILE };
  const key = 'research/DistributedTraining/resnet-nightly';
  const evil: World = { ...of, details: { ...of.details, [key]: { ...resnet, status, events, message: HOSTILE } } };
  const { page, fake, problems } = await look({}, evil);
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  await shows(page, HOSTILE);
  await page.goto(fake.url(VIEWS.failed));
  await shows(page, HOSTILE);
  await page.getByRole('link', { name: 'Events' }).click();
  await shows(page, HOSTILE);
  await page.getByRole('link', { name: 'Logs' }).click();
  (await logStream(fake)).write({ source: HOSTILE, at: '', text: HOSTILE }, { note: HOSTILE });
  await shows(page, HOSTILE);
  expect(await page.locator('img, #page script').count()).toBe(0);
  expect(ran).toEqual([]);
  expect(problems).toEqual([]);
});

test.each([1280, 360])('names as long as Kubernetes allows fit into %d pixels', async (width) => {
  const of = crowded(3, { name: LONG, namespace: LONG.slice(0, 63), message: LONG, phase: LONG.slice(0, 63) });
  const { page, fake } = await look(
    { width },
    { ...of, session: { ...of.session, context: LONG, server: `https://${LONG}` } },
  );
  await fitsWidth(page);
  expect(await axeFindings(page)).toEqual([]);
  const resnet = of.details['research/DistributedTraining/resnet-nightly'];
  if (resnet === undefined) throw new Error('no fixture');
  const children = resnet.status.children.map((child) => ({ ...child, name: LONG, because: [LONG] }));
  const attempts = resnet.attempts.map((attempt) => ({ ...attempt, label: LONG, message: LONG }));
  const events = resnet.events.map((event) => ({ ...event, name: LONG, reason: LONG, message: LONG }));
  const detail = {
    ...resnet,
    attempts,
    events,
    message: LONG,
    status: { ...resnet.status, name: LONG, children, notes: [LONG], result: LONG },
  };
  fake.world.details = { 'ml/DistributedTraining/long': detail };
  for (const part of ['', '/events']) {
    await page.goto(fake.url(`/ml/DistributedTraining/long${part}`));
    await shows(page, LONG);
    await fitsWidth(page);
  }
});
