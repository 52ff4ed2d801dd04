import { expect, test } from 'vitest';
import { axeFindings } from './support/axe.ts';
import { world } from './support/fixtures/world.ts';
import { blankPage, look, shows, withBrowser } from './support/watched.ts';

withBrowser();

test('the token leaves the address bar at once, and the page can be loaded again and opened in another tab', async () => {
  const { page } = await look();
  expect(page.url()).not.toContain('token');
  await page.reload();
  await shows(page, '10 resources');
  const other = await page.context().newPage();
  await other.goto(page.url().replace(/#.*/, '#/chat/ModelServing/llama-70b'));
  await shows(other, 'PersistentVolumeClaim');
});

test('without a token it says where the address is', async () => {
  const { fake } = await look();
  const page = await blankPage();
  await page.goto(`${fake.origin}/`);
  await shows(page, 'This page has no token of this server: open the address that trunnion ui has printed.');
  await page.goto(`${fake.origin}/#token=of-an-earlier-run`);
  await shows(page, 'This page has no token of this server');
});

test('it begins with the namespace of the session', async () => {
  const { page } = await look({}, { ...world(), session: { ...world().session, namespace: 'vision' } });
  await shows(page, '3 resources');
  expect(page.url()).toMatch(/#\/\?namespace=vision$/);
});

test('where the server has ended it says so, shows what it had, and finds it again when it is back', async () => {
  const { page, fake } = await look();
  const { port } = fake;
  await fake.close();
  await page.getByRole('alert').getByText('trunnion ui has ended: start it again').waitFor({ timeout: 10_000 });
  await shows(page, 'resnet-nightly');
  expect(await axeFindings(page)).toEqual([]);
  await fake.listen(port);
  await page.getByRole('alert').waitFor({ state: 'detached', timeout: 20_000 });
});

test('what the server refuses is said in its own words, and asked again less often', async () => {
  const { page, fake } = await look();
  fake.refusal = { status: 502, error: 'the API server https://10.20.0.1:6443 does not answer' };
  await page.getByRole('alert').getByText('does not answer').waitFor({ timeout: 10_000 });
  await shows(page, 'resnet-nightly');
  fake.refusal = undefined;
  await page.getByRole('alert').waitFor({ state: 'detached', timeout: 20_000 });
});

test('a resource that is gone says so', async () => {
  const { page } = await look({ route: '/chat/ModelServing/nobody' });
  await page.getByRole('alert').getByText('there is no resource nobody').waitFor();
  await page.keyboard.press('Escape');
  await shows(page, '10 resources');
});

test('an empty cluster says what to do first', async () => {
  const { page } = await look({}, { ...world(), overview: { resources: [], notes: [] } });
  await shows(page, 'There are no resources in this cluster yet.');
  expect(await axeFindings(page)).toEqual([]);
});

test('it asks every two to three seconds, gets no answer twice, and rests while nobody looks', async () => {
  const { page, fake } = await look({ isMoved: true });
  const asked = () => fake.requests.filter((line) => line.startsWith('/api/overview'));
  await expect.poll(() => asked().length, { timeout: 12_000 }).toBeGreaterThanOrEqual(3);
  expect(asked().slice(0, 3)).toEqual(['/api/overview 200', '/api/overview 304', '/api/overview 304']);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
  });
  await page.clock.fastForward('10:00');
  const before = asked().length;
  await page.clock.fastForward('10:00');
  expect(asked().length).toBe(before);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => asked().length, { timeout: 2_000 }).toBeGreaterThan(before);
});
