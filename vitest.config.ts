import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';

// For control planes, whose objects live short: a fifth of what the API server does is to collect garbage.
process.env['GOGC'] ??= '400';
// For the many programs that tests start: Node reads and compiles their modules once.
process.env['NODE_COMPILE_CACHE'] ??= new URL('node_modules/.cache/compile', import.meta.url).pathname;

const at = (path: string): string => new URL(path, import.meta.url).pathname;

/** What is published under another name than where it lies here. */
const ALIASES = [
  { find: /^trunnion-operator$/, replacement: at('operator/index.ts') },
  { find: /^trunnion-operator\/testing$/, replacement: at('testing/index.ts') },
];

/** One project a part of the suite; `npm run test:NAME` runs it alone. */
const part = (name: string, options: object = {}) => ({
  // As a project of others imports them: examples do.
  resolve: { alias: ALIASES },
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

/** What a part needs that starts control planes in its tests. */
const CONTROL_PLANE = ['test/support/control-plane.ts'];

/** Each file has a cluster with a real node of its own. */
const REAL_NODE = { testTimeout: 300_000, hookTimeout: 900_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      // On all cores: nothing runs beside it.
      part('unit', { maxWorkers: '100%', isolate: false, testTimeout: 60_000 }),
      // Each worker has a control plane, and runs one file after the other on it; most of what they do is wait.
      part('cluster', {
        globalSetup: ['test/cluster/setup.ts'],
        maxWorkers: 5,
        isolate: false,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      part('mutations', { globalSetup: ['test/cluster/setup.ts'], maxWorkers: 1, hookTimeout: 120_000 }),
      // Nearly all of their time is spent waiting for leases to run out, so they wait at the same time.
      part('leadership', {
        globalSetup: CONTROL_PLANE,
        testTimeout: 120_000,
        hookTimeout: 120_000,
        maxConcurrency: 3,
      }),
      // One plan of each class; the whole campaign is a program of its own.
      part('faults', {
        globalSetup: CONTROL_PLANE,
        testTimeout: 300_000,
        hookTimeout: 120_000,
        maxConcurrency: 8,
      }),
      // One plan of each class for each example of an operator; the whole campaign is a program of its own.
      part('operators', { globalSetup: CONTROL_PLANE, testTimeout: 900_000, hookTimeout: 120_000, maxConcurrency: 5 }),
      // Half a minute of a hostile tenant; the long campaign is a program of its own. It measures time: nothing runs beside it.
      part('hostile', {
        globalSetup: ['test/cluster/setup.ts'],
        maxWorkers: 1,
        testTimeout: 600_000,
        hookTimeout: 120_000,
      }),
      // Builds Kueue first, which takes minutes; not a part of `npm test`.
      part('kueue', {
        globalSetup: ['test/kueue/setup.ts'],
        maxWorkers: 1,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      // Builds LeaderWorkerSet first, which takes minutes; not a part of `npm test`. All tests have one control plane.
      part('lws', {
        globalSetup: ['test/lws/setup.ts'],
        maxWorkers: 1,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      // Needs root on Linux, containerd and more, and builds the kubelet and more first; not a part of `npm test`. Pods mostly wait for grace periods.
      part('real', { ...REAL_NODE, globalSetup: ['test/real/setup.ts'], maxWorkers: 2 }),
      // The same with programs and images that take long to build: real engines, frameworks and scalers, which want the cores; not a part of CI.
      part('real-long', { ...REAL_NODE, maxWorkers: 1 }),
      // Leads many trainings through the loss of a node, which takes a minute each; not a part of `npm test`.
      part('sweep', { globalSetup: CONTROL_PLANE, fileParallelism: false, hookTimeout: 120_000 }),
      // The bench in small, judged by what does not depend on the machine.
      part('cost', { globalSetup: CONTROL_PLANE, testTimeout: 900_000, hookTimeout: 300_000 }),
      // Measures memory and time: nothing else may run beside it.
      part('scale', {
        globalSetup: CONTROL_PLANE,
        testTimeout: 7_200_000,
        hookTimeout: 3_600_000,
        fileParallelism: false,
      }),
      // Does what every page says, with Kueue and LeaderWorkerSet as well, which take minutes to build; not a part of `npm test`.
      part('docs', {
        globalSetup: ['test/docs/setup.ts'],
        maxWorkers: 1,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      // What the users of earlier operators type, line by line.
      part('compat', {
        globalSetup: ['test/cluster/setup.ts'],
        maxWorkers: 3,
        testTimeout: 300_000,
        hookTimeout: 120_000,
      }),
      // Builds Helm first, which takes minutes; not a part of `npm test`. Runs beside two other parts.
      part('install', {
        globalSetup: ['test/support/build-helm.ts', 'test/install/setup.ts', 'test/cluster/setup.ts'],
        maxWorkers: 2,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      // Builds Prometheus first, which takes minutes; not a part of `npm test`.
      part('monitoring', {
        globalSetup: ['test/monitoring/setup.ts', 'test/cluster/setup.ts'],
        maxWorkers: 1,
        testTimeout: 540_000,
        hookTimeout: 120_000,
      }),
      // One engine, one control plane and one provider serve all workers.
      part('pulumi', {
        globalSetup: ['test/pulumi/setup.ts'],
        maxWorkers: 3,
        testTimeout: 240_000,
        hookTimeout: 240_000,
      }),
      // The page of `trunnion ui` in Chromium, most of it against a server of the test.
      part('browser', {
        globalSetup: ['test/cluster/setup.ts'],
        maxWorkers: 2,
        expect: { poll: { timeout: 10_000 } },
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      part('package', {
        globalSetup: ['test/package/setup.ts'],
        testTimeout: 300_000,
        hookTimeout: 300_000,
        fileParallelism: false,
      }),
    ],
  },
});
