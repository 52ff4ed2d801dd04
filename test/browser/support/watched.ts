import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { launch } from './chromium.ts';
import { FakeServer, type World } from './fake-server.ts';
import { world } from './fixtures/world.ts';
import { NOW } from './fixtures/time.ts';

/** How the page is looked at. */
export interface Look {
  /** @default '/' - the list */
  readonly route?: string;
  /** @default 'light' */
  readonly scheme?: 'light' | 'dark';
  /** Pixels. @default 1280 */
  readonly width?: number;
  readonly height?: number;
  /** Whether the time of the page is moved by the test. @default false - it stands still */
  readonly isMoved?: boolean;
}

/** A page that somebody looks at. */
export interface Watched {
  readonly page: Page;
  readonly fake: FakeServer;
  /** What went wrong: errors of the console, of the script, and of the policy. */
  readonly problems: readonly string[];
}

let browser: Browser;

/** Starts a browser for the tests of a file. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
}

/** A page with nothing on it, that is closed when the test ends. */
export async function blankPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Opens the page on a cluster. The time stands still, so that what is shown is the same each time. */
export async function look(
  { route = '', scheme = 'light', width = 1280, height = 800, isMoved = false }: Look = {},
  of: World = world(),
): Promise<Watched> {
  const fake = await FakeServer.start(of);
  onTestFinished(() => fake.close());
  const page = await blankPage({
    colorScheme: scheme,
    viewport: { width, height },
    timezoneId: 'UTC',
    locale: 'en-US',
  });
  await (isMoved ? page.clock.install({ time: NOW }) : page.clock.setFixedTime(NOW));
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  await page.goto(fake.url(route));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading…').waitFor({ state: 'detached' });
  return { page, fake, problems };
}

/** The text of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

/** Fails where nothing is on the page that has this text. */
export async function shows(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor({ timeout: 10_000 });
}

/** Fails where the page is wider than what shows it. */
export async function fitsWidth(page: Page): Promise<void> {
  const [scrollWidth, clientWidth] = await page.evaluate(() => {
    const { documentElement: root } = document;
    return [root.scrollWidth, root.clientWidth] as const;
  });
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
}
