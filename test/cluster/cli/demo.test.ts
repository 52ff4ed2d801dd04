import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

/** Each makes a cluster, or has one made ready; on a busy machine for minutes. */
const TIMEOUT = { timeout: 300_000 };

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunnion-demo-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the demo, with a folder for temporary files that names all of its processes. */
function startDemo(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { KUBECONFIG: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['cli/main.ts', 'demo', ...args], {
    env: { ...inherited, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = output.then(async ([stdout, stderr]) => {
    await closed;
    return { code: child.exitCode, stdout, stderr };
  });
  return { child, ended };
}

/** Command lines that name the demo's folder. */
const processes = (): string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder));

/** The phases that a resource was shown in, but for Pending: it is over where pods are there before the first status. */
const phasesOf = (stdout: string, resource: string): string[] =>
  [...stdout.matchAll(/^ *\d+\.\d s {2}(\w+ \S+) +(\w+)/gm)].flatMap(([, name, phase]) =>
    name === resource && phase !== undefined && phase !== 'Pending' ? [phase] : [],
  );

test('the demo shows a life of each kind on a cluster of its own, and leaves nothing behind', TIMEOUT, async () => {
  const { code, stdout, stderr } = await startDemo(['--no-real']).ended;
  expect(stderr).toContain('To continue');
  expect(code).toBe(0);
  expect(phasesOf(stdout, 'ModelServing qwen')).toEqual(['Downloading', 'Deploying', 'Running']);
  expect(phasesOf(stdout, 'AgentService support-agent').at(-1)).toBe('Running');
  expect(phasesOf(stdout, 'DistributedTraining resnet')).toEqual(['Running', 'Restarting', 'Running', 'Completed']);
  expect(stdout).toMatch(/Restarting +Attempt 1 is over\. Rank 2 .*exit code 1.*1 of 6 retries/);
  expect(stdout).toMatch(/^ModelServing trunnion-demo\/qwen {2}Running [^]*\n├─ /m);
  expect(stdout).toMatch(/^AgentService trunnion-demo\/support-agent {2}Running /m);
  expect(stdout).toMatch(/─ ✓ Deployment qwen .*\n.*└─ ✓ ReplicaSet qwen-\w+ .*\n.*└─ ✓ Pod qwen-/);
  expect(stdout).toMatch(/^AgentService trunnion-demo\/support-agent [^]*─ . HorizontalPodAutoscaler support-agent/m);
  expect(stdout).toMatch(/^DistributedTraining trunnion-demo\/resnet [^]*─ ✓ Job resnet-2 .*\n.*─ ✓ Pod resnet-2-0-/m);
  expect(stdout).toContain('http://qwen.trunnion-demo.svc:8000/v1');
  expect(stdout).toContain('http://support-agent.trunnion-demo.svc\n');
  await eventually(() => expect(processes()).toEqual([]));
  expect(readdirSync(folder)).toEqual([]);
});

test('Ctrl-C stops all that the demo has started', TIMEOUT, async () => {
  const { child, ended } = startDemo(['--no-real']);
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => /\d s {2}ModelServing/.test(String(chunk)) && resolve());
  });
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('stopped by SIGINT') });
  await eventually(() => expect(processes()).toEqual([]));
  expect(readdirSync(folder)).toEqual([]);
});

test("on the user's own cluster, nothing is done without a yes", TIMEOUT, async () => {
  const { code, stdout, stderr } = await startDemo([], { KUBECONFIG: cluster().kubeconfig }).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(cluster().url);
  expect(stderr).toContain('nothing was done');
  const admin = adminClient();
  expect(await admin.find(TYPES.namespace, { name: 'trunnion-demo' })).toBeUndefined();
});

/** A pod that the policies of a server cover, and that no resource has: it is there until its namespace goes. */
const coveredPod = (instance: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'covered',
    namespace: 'trunnion-demo',
    labels: { 'app.kubernetes.io/instance': instance, 'app.kubernetes.io/component': 'server' },
  },
  spec: { containers: [{ name: 'one', image: 'a:1' }], nodeSelector: { 'example.com/no': 'such-node' } },
});

test("on the user's own cluster, the demo removes what it made, whatever outlives the operator", TIMEOUT, async () => {
  const admin = adminClient();
  const env = { KUBECONFIG: cluster().kubeconfig, TRUNNION_TEST_POD_LOOPBACK: '1' };
  const { child, ended } = startDemo(['--yes'], env);
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => /\d s {2}ModelServing/.test(String(chunk)) && resolve());
  });
  await admin.create(TYPES.pod, coveredPod('qwen-cpu'));
  const { code, stdout, stderr } = await ended;
  expect(stderr).not.toContain('could not');
  expect(phasesOf(stdout, 'ModelServing qwen-cpu').at(-1)).toBe('Running');
  // Simulated pods answer no question, and the demo says so, and still removes what it made.
  expect(stderr).toMatch(
    /error: no connection to the pod trunnion-demo\/qwen-\S+ by way of the API server: .*port 8000/,
  );
  expect(code).toBe(1);
  expect(await admin.find(TYPES.namespace, { name: 'trunnion-demo' })).toBeUndefined();
});

test("on the user's own cluster, trouble that passes does not end the demo", TIMEOUT, async () => {
  const admin = adminClient();
  const cordon = async (unschedulable: boolean) => {
    const { items } = await admin.list(TYPES.node, {});
    await Promise.all(items.map(({ metadata }) => admin.patch(TYPES.node, metadata, { spec: { unschedulable } })));
  };
  await cordon(true);
  onTestFinished(() => cordon(false));
  const { child, ended } = startDemo(['--yes'], { KUBECONFIG: cluster().kubeconfig, TRUNNION_TEST_POD_LOOPBACK: '1' });
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('kubectl uncordon') && resolve());
  });
  await cordon(false);
  const { stdout } = await ended;
  expect(phasesOf(stdout, 'ModelServing qwen-cpu').at(-1)).toBe('Running');
  expect(stdout).toContain('> Say in two sentences');
});
