import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Detail, LogLine, Overview, Session, Top } from '../../../cli/ui/api.ts';
import { adminClient, clientWith } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { member } from '../support/members.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { modelServingType, servingSpec, ServingUnderTest } from '../support/serving.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

/** The command as its user runs it, and its server as the page asks it. */
class Ui {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<unknown>;
  #url = new URL('http://127.0.0.1');

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, ['cli/main.ts', 'ui', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = once(this.child, 'close');
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** The address that it prints, and nothing else. */
  async url(): Promise<URL> {
    let printed = '';
    for await (const chunk of this.child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      printed += String(chunk);
      if (printed.endsWith('\n')) break;
    }
    expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
    this.#url = new URL(printed.trim());
    return this.#url;
  }

  ask(path: string, init: RequestInit = {}): Promise<Response> {
    const token = this.#url.hash.slice('#token='.length);
    return fetch(new URL(path, this.#url), { headers: { authorization: `Bearer ${token}` }, ...init });
  }

  async data<T>(path: string): Promise<T> {
    const response = await this.ask(path);
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  }

  /** Why there is no answer. */
  async failure(path: string): Promise<{ readonly status: number; readonly error: string }> {
    const response = await this.ask(path);
    const { error } = (await response.json()) as { readonly error: string };
    return { status: response.status, error };
  }
}

const TRAINING = (namespace: string) => `kind=DistributedTraining&namespace=${namespace}&name=resnet`;

/** What the page reads of a stream of logs, line by line, until `isEnough`. */
async function linesOf(
  response: Response,
  isEnough: (lines: readonly LogLine[]) => boolean,
): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const parts = `${rest}${decoder.decode(chunk as Uint8Array, { stream: true })}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((part) => JSON.parse(part) as LogLine));
    if (isEnough(lines)) break;
  }
  return lines;
}

test('a tenant looks at its namespace through the page, and at nothing else', async () => {
  const [namespace, other] = [await testNamespace(admin), await testNamespace(admin)];
  await startOperator(admin, namespace);
  const [training, serving] = [new TrainingUnderTest(admin, namespace), new ServingUnderTest(admin, namespace)];
  await training.apply(trainingSpec);
  await serving.apply(servingSpec);
  await training.reaches('Running');
  await serving.reaches('Running');
  const { user, token, kubeconfig } = await member(admin, namespace, { clusterRole: 'edit' });
  const client = clientWith(token);
  onTestFinished(() => client.close());
  await eventually(() => client.list(modelServingType, { namespace }));
  const ui = new Ui(['-n', namespace, '--kubeconfig', kubeconfig]);
  await ui.url();

  expect(await ui.data<Session>('/api/session')).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    context: 'here',
    server: cluster().url,
    namespace,
  });
  expect(await (await ui.ask('/')).text()).toMatch(/^<!doctype html>/i);

  // The rights for earlier operators' kinds may come a moment later.
  await eventually(async () => {
    const { resources, notes } = await ui.data<Overview>(`/api/overview?namespace=${namespace}`);
    expect(notes).toEqual([]);
    expect(resources.map(({ kind, name, phase, state }) => ({ kind, name, phase, state }))).toEqual([
      { kind: 'ModelServing', name: 'llama', phase: 'Running', state: 'ok' },
      { kind: 'DistributedTraining', name: 'resnet', phase: 'Running', state: 'ok' },
    ]);
  });

  const detail = await ui.data<Detail>(`/api/resource?${TRAINING(namespace)}`);
  expect(detail).toMatchObject({
    status: { kind: 'DistributedTraining', name: 'resnet', phase: 'Running' },
    attempts: [{ label: 'attempt 1', state: 'running' }],
    isSearch: false,
  });
  expect(detail.pods).toHaveLength(2);
  expect(detail.pods[1]?.containers).toContain('trainer');
  expect(detail.status.children.map(({ kind }) => kind)).toContain('Job');
  expect(detail.events.map(({ kind }) => kind)).toContain('Job');
  const model = await ui.data<Detail>(`/api/resource?kind=ModelServing&namespace=${namespace}&name=llama`);
  expect(model.chat).toEqual({ ready: true });

  const { resources: rows } = await ui.data<Top>(`/api/top?namespace=${namespace}`);
  expect(rows).toContainEqual(expect.objectContaining({ kind: 'ModelServing', name: 'llama', gpus: 1 }));

  const denied = await ui.failure(`/api/overview?namespace=${other}`);
  expect(denied.status).toBe(502);
  expect(denied.error).toMatch(/^you may not list agentservices, .*modelservings in /);
  expect(denied.error).toContain(` in ${other}: you are "${user}". Ask an administrator of ${other}`);
  expect((await ui.failure('/api/overview')).error).toContain('in the whole cluster');
  expect((await ui.failure(`/api/resource?kind=ModelServing&namespace=${namespace}&name=none`)).status).toBe(404);
  expect((await ui.failure(`/api/search.svg?${TRAINING(namespace)}`)).error).toContain('is no search');
});

test('logs follow the ranks of a training through its attempts, and Ctrl-C ends all at once', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const training = new TrainingUnderTest(admin, namespace);
  await training.apply(trainingSpec);
  await training.reaches('Running');
  const ui = new Ui(['-n', namespace, '--kubeconfig', cluster().kubeconfig]);
  await ui.url();

  const followed = await ui.ask(`/api/logs?${TRAINING(namespace)}`);
  expect(followed.status).toBe(200);
  const both = linesOf(followed, (lines) => lines.some(({ source }) => source === 'worker-1 #2'));
  await eventually(async () => {
    const { pods } = await ui.data<Detail>(`/api/resource?${TRAINING(namespace)}`);
    const one = await ui.ask(`/api/logs?${TRAINING(namespace)}&pod=${pods[1]?.name}&tail=1`);
    const [line] = await linesOf(one, (lines) => lines.length > 0);
    expect(line).toEqual({ source: 'worker-1', at: expect.stringMatching(/^2026-/), text: 'done' });
  });
  await training.simulate(1, { fail: '1' });
  expect((await both).map(({ source }) => source)).toEqual(
    expect.arrayContaining(['worker-0', 'worker-1', 'worker-1 #2']),
  );

  await training.shows(({ status }) => expect(status).toMatchObject({ attempt: 2, phase: 'Running' }));
  await eventually(async () => {
    const { attempts } = await ui.data<Detail>(`/api/resource?${TRAINING(namespace)}`);
    expect(attempts).toMatchObject([
      { label: 'attempt 1', state: 'failed', message: expect.stringContaining('exit code 1') },
      { label: 'attempt 2', state: 'running' },
    ]);
  });

  const open = await ui.ask(`/api/logs?${TRAINING(namespace)}`);
  const began = performance.now();
  ui.child.kill('SIGINT');
  await ui.ended;
  expect(ui.child.exitCode).toBe(0);
  expect(performance.now() - began).toBeLessThan(3_000);
  await expect(open.text()).rejects.toThrow('terminated');
});

test('a port that is taken, and a kubeconfig that is none, end the command with one sentence', async () => {
  const first = new Ui(['-n', 'default', '--kubeconfig', cluster().kubeconfig]);
  const { port } = await first.url();
  const said = async (args: readonly string[]) => {
    const { child, ended } = new Ui(args);
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
    child.stdout.resume();
    await ended;
    return { code: child.exitCode, words };
  };
  expect(await said(['-n', 'default', '--port', port, '--kubeconfig', cluster().kubeconfig])).toEqual({
    code: 1,
    words: `error: port ${port} is in use: choose another one by --port, or leave it out for one that is free\n`,
  });
  expect(await said(['--kubeconfig', '/none'])).toEqual({ code: 1, words: expect.stringMatching(/^error: .*\/none/) });
});
