import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;

/**
 * The program of a browser.
 *
 * @param path - folders, as PATH has them
 */
export function browserOn(path: string): string {
  const folders = path.split(delimiter).filter(Boolean);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    `no browser is on PATH (${NAMES.join(', ')}): install one, on Debian by \`apt-get install chromium\``,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A browser without windows. Its sandbox needs another user than root, and shared memory is small in containers. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserOn(process.env['PATH'] ?? ''),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
  });
