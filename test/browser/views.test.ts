import { describe, expect, test } from 'vitest';
import { axeFindings } from './support/axe.ts';
import { VIEWS } from './support/fixtures/world.ts';
import { filled } from './support/views.ts';
import { fitsWidth, look, shows, withBrowser } from './support/watched.ts';

withBrowser();

const looks = Object.keys(VIEWS).flatMap((view) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [1280, 360].map((width) => [view as keyof typeof VIEWS, scheme, width] as const),
  ),
);

describe.each(looks)('the view %s, %s, %d pixels wide', (view, scheme, width) => {
  test('is clean to axe, fits its width, and breaks no rule of the policy', async () => {
    const watched = await look({ route: VIEWS[view], scheme, width });
    await filled(view, watched);
    expect(await axeFindings(watched.page)).toEqual([]);
    await fitsWidth(watched.page);
    expect(watched.problems).toEqual([]);
  });
});

test('the list says phase and cause of each resource, failed ones first', async () => {
  const { page } = await look();
  const rows = await page.getByRole('row').allInnerTexts();
  expect(rows).toHaveLength(11);
  expect(rows[1]).toMatch(
    /Failed\s+resnet-nightly DistributedTraining\s+research\s+Rank worker-3 was OOM-killed.*\s+5h/,
  );
  await shows(page, '10 resources');
  await shows(page, 'Events of namespace vision are not shown');
});

test('a filter and a namespace narrow the list, and are in the address', async () => {
  const { page } = await look();
  await page.getByLabel('Filter').fill('pending');
  await shows(page, '2 of 10 resources');
  await page.getByLabel('Namespace').selectOption('vision');
  await shows(page, '1 of 3 resources');
  expect(page.url()).toMatch(/#\/\?namespace=vision&filter=pending$/);
  await page.reload();
  await shows(page, '1 of 3 resources');
  await page.getByLabel('Filter').fill('nobody');
  await shows(page, 'No resource matches the filter.');
});

test('a resource shows its objects, what they wait for, its conditions and its download', async () => {
  const { page } = await look({ route: VIEWS.downloading });
  await shows(page, '43.1 GiB of 61.0 GiB');
  await shows(page, '70%, 1m 36s left at 191 MiB/s');
  expect(await page.getByRole('progressbar', { name: 'Model weights' }).getAttribute('value')).toMatch(/^0\.70/);
  await shows(page, 'It waits for: weights');
  const signs = await page
    .locator('.tree')
    .first()
    .getByRole('img')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  expect(new Set(signs)).toEqual(new Set(['ok', 'waiting', 'not there', 'leaving']));
});

test('attempts are bars, and a list that says the same', async () => {
  const { page } = await look({ route: VIEWS.failed });
  const attempts = await page.locator('.timeline li:not(.axis)').allInnerTexts();
  expect(attempts).toHaveLength(4);
  expect(attempts[1]).toMatch(/Attempt 2\s+interrupted after 1h 28m\s+Node gpu-7 was lost\./);
  const widths = await page
    .locator('.timeline .span')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThan(2);
  await shows(page, '12 other pods are well');
  await page.getByRole('button', { name: 'Show all pods' }).click();
  await shows(page, 'resnet-nightly-worker-17');
});

test('GPUs are shown by namespace and resource', async () => {
  const { page } = await look({ route: VIEWS.gpus });
  await shows(page, 'GPUs of the nodes: 64');
  await shows(page, "41 held by Trunnion's resources");
  const rows = await page.getByRole('row').allInnerTexts();
  expect(rows.find((row) => row.startsWith('llama-70b'))?.split(/\s+/)).toEqual(
    expect.arrayContaining(['2/2', '8', '84%', '0', '31', '5', '1886']),
  );
  await page.getByRole('link', { name: 'clip' }).click();
  expect(page.url()).toContain('#/vision/ModelServing/clip');
});
