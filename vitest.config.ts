import { defineConfig } from 'vitest/config';

/** One project a part of the suite; `npm run test:NAME` runs it alone. */
const part = (name: string, options: object = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

export default defineConfig({
  test: {
    projects: [
      part('unit', { testTimeout: 60_000 }),
      // One control plane serves all files of this part, so they run one after the other.
      part('cluster', {
        globalSetup: ['test/cluster/setup.ts'],
        fileParallelism: false,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      // Nearly all of their time is spent waiting for leases to run out, so they wait at the same time.
      part('leadership', { testTimeout: 120_000, hookTimeout: 120_000, maxConcurrency: 3 }),
      // Measures memory and time: nothing else may run beside it.
      part('scale', { testTimeout: 7_200_000, hookTimeout: 3_600_000, fileParallelism: false }),
      part('package', {
        globalSetup: ['test/package/setup.ts'],
        testTimeout: 180_000,
        hookTimeout: 180_000,
        fileParallelism: false,
      }),
    ],
  },
});
