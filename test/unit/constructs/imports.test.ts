import { describe, expect, test } from 'vitest';
import { run } from '../../support/run.ts';

/** Prints the URL of every module that importing the constructs loads. */
const PROBE = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import('./constructs/index.ts');
  console.log(JSON.stringify(loaded));
`;

describe('importing the constructs', () => {
  test('loads neither a client of a cluster nor Pulumi nor the classes of cdk8s-plus', async () => {
    const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', PROBE]);
    expect([code, stderr]).toEqual([0, '']);
    const loaded = JSON.parse(stdout) as string[];
    expect(loaded.some((url) => url.endsWith('/constructs/workload.ts'))).toBe(true);
    const heavy = /node_modules\/(@kubernetes|@pulumi|undici|cdk8s-plus-28|pino|prom-client|commander)\//;
    expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
    expect(loaded.filter((url) => /\/(operator|stacks|cli|cluster)\//.test(url.replace(/.*node_modules/, '')))).toEqual(
      [],
    );
  });
});
