import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VIEWS } from './support/fixtures/world.ts';
import { filled } from './support/views.ts';
import { look, withBrowser } from './support/watched.ts';

withBrowser();

/** Where `npm run generate:images` writes them; else they are drawn and looked at, and not kept. */
const FOLDER = process.env['TRUNNION_IMAGES'];
const HERE = join(import.meta.dirname, '../../docs/images');

/** The pictures of the pages, and what each is of. */
const IMAGES: readonly (readonly [name: string, view: keyof typeof VIEWS, scheme: 'light' | 'dark', height: number])[] =
  [
    ['ui-resources', 'resources', 'light', 620],
    ['ui-resource', 'failed', 'light', 820],
    ['ui-search', 'search', 'light', 900],
    ['ui-logs', 'logs', 'light', 620],
    ['ui-chat', 'chat', 'light', 640],
    ['ui-gpus', 'gpus', 'light', 620],
    ['ui-dark', 'resources', 'dark', 620],
  ];

/** Bytes that a clone of the repository has to carry. */
const LARGEST = 150_000;

describe.each(IMAGES)('the screenshot %s', (name, view, scheme, height) => {
  test('is small', async () => {
    const watched = await look({ route: VIEWS[view], scheme, width: 1200, height });
    await filled(view, watched);
    const image = await watched.page.screenshot({ caret: 'hide' });
    expect(image.length).toBeGreaterThan(10_000);
    expect(image.length).toBeLessThan(LARGEST);
    if (FOLDER === undefined) return;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `${name}.png`), image);
  });
});

test('each screenshot of the pages is one of these', () => {
  const there = readdirSync(HERE).filter((file) => file.startsWith('ui-'));
  expect(there.toSorted()).toEqual(IMAGES.map(([name]) => `${name}.png`).toSorted());
});
