import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { browserOn } from './support/chromium.ts';

test('without a browser on PATH it says what to install', () => {
  expect(() => browserOn('/nowhere:')).toThrow(
    'no browser is on PATH (chromium, chromium-browser, google-chrome, google-chrome-stable): install one, on Debian by `apt-get install chromium`',
  );
});

test('it takes a program that can be run, and no other file of its name', () => {
  const folders = ['a', 'b'].map(() => mkdtempSync(join(tmpdir(), 'trunnion-browser-')));
  onTestFinished(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
  const [first = '', second = ''] = folders.map((folder) => join(folder, 'google-chrome'));
  writeFileSync(first, '', { mode: 0o644 });
  writeFileSync(second, '', { mode: 0o755 });
  expect(browserOn(folders.join(':'))).toBe(second);
});
