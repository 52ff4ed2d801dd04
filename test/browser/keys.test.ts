import { expect, test } from 'vitest';
import { axeFindings } from './support/axe.ts';
import { focused, look, shows, withBrowser } from './support/watched.ts';

withBrowser();

test('one gets by keys to a resource, through its parts, and back to its row', async () => {
  const { page, problems } = await look();
  const press = (key: string) => page.keyboard.press(key);
  await press('j');
  expect(await focused(page)).toBe('resnet-nightly');
  await press('j');
  expect(await focused(page)).toBe('qwen-32b');
  await press('k');
  await press('ArrowUp');
  expect(await focused(page)).toBe('resnet-nightly');
  await press('Enter');
  await shows(page, 'Container train was OOM-killed');
  expect(await focused(page)).toBe('resnet-nightly');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await press('2');
  await shows(page, 'Memory cgroup out of memory');
  expect(page.url()).toMatch(/resnet-nightly\/events$/);
  await press('Escape');
  await page.getByRole('heading', { name: 'Resources' }).waitFor();
  await expect.poll(() => focused(page)).toBe('resnet-nightly');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A');
  await press('g');
  await page.getByRole('heading', { name: 'GPUs', exact: true }).waitFor();
  await press('r');
  await page.getByRole('heading', { name: 'Resources' }).waitFor();
  expect(problems).toEqual([]);
});

test('/ goes to the filter, where letters are letters; Esc leaves it for the first row that it left', async () => {
  const { page } = await look();
  await page.keyboard.press('/');
  await page.keyboard.type('jk?');
  expect(await page.getByLabel('Filter').inputValue()).toBe('jk?');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('llama');
  await shows(page, '1 of 10 resources');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toBe('llama-70b');
});

test('the back button goes back, through parts and lists', async () => {
  const { page } = await look({ route: '/?filter=llama' });
  await page.getByRole('link', { name: 'llama-70b' }).click();
  await page.getByRole('link', { name: 'Events' }).click();
  await shows(page, 'Successfully assigned');
  await page.goBack();
  await shows(page, 'PersistentVolumeClaim');
  await page.goBack();
  await shows(page, '1 of 10 resources');
  await page.goForward();
  await shows(page, 'PersistentVolumeClaim');
});

test('? shows the keys, and keys of one character can be switched off', async () => {
  const { page } = await look();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByLabel('Keys of one character are on').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('g');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('resnet-nightly');
  expect(page.url()).toMatch(/#\/$/);
});

test('the first Tab offers to skip to the content, and whatever has the focus is seen to have it', async () => {
  const { page } = await look();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  const box = await page.getByText('Skip to the content').boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  for (let index = 0; index < 6; index += 1) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (element === null) return 'none';
      return [undefined, '::after'].map((part) => getComputedStyle(element, part).outlineStyle).join(' ');
    });
    expect(outline).toContain('solid');
  }
});

test('what changes is said to those who can not see it', async () => {
  const { page, fake } = await look();
  const { overview } = fake.world;
  const [first, ...rest] = overview.resources;
  if (first !== undefined) fake.world.overview = { ...overview, resources: [{ ...first, phase: 'Updating' }, ...rest] };
  await expect
    .poll(() => page.locator('[aria-live=polite]').textContent(), { timeout: 10_000 })
    .toBe('ModelServing llama-70b is Updating.');
});
