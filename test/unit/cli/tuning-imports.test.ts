import { expect, test } from 'vitest';
import { run } from '../../support/run.ts';

/** Prints the URLs of the modules that a search in the terminal loads, and of those that its image needs beside them. */
const PROBE = `
  import { registerHooks } from 'node:module';
  let loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import('./cli/program.ts');
  await import('./cli/tuning/run.ts');
  const forText = loaded;
  loaded = [];
  await import('./cli/tuning/plots/index.ts');
  console.log(JSON.stringify({ forText, forImage: loaded }));
`;

test('what draws a search is loaded for an image alone', async () => {
  const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', PROBE]);
  expect([code, stderr]).toEqual([0, '']);
  const { forText, forImage } = JSON.parse(stdout) as Record<'forText' | 'forImage', readonly string[]>;
  const drawing = /node_modules\/(@observablehq\/plot|linkedom|d3[^/]*)\//;
  expect(forText.some((url) => url.endsWith('/cli/tuning/text.ts'))).toBe(true);
  expect(forText.filter((url) => drawing.test(url))).toEqual([]);
  expect(forImage.some((url) => drawing.test(url))).toBe(true);
});
