import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { simulated } from '../../cluster/support/training.ts';
import { EXTREME_RESULTS, HOSTILE_LOGS } from './known.ts';

/** What a program, or a kubelet on its behalf, says when it ends: longer than any kubelet allows, and not fit to print. */
const LAST_WORDS: readonly string[] = [
  ...EXTREME_RESULTS,
  `loss=${'1'.repeat(200_000)}x`,
  `loss${' '.repeat(100_000)}x`,
  '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;aGk=\u0007loss=0.5\r\u0000',
  '\u202egnihtyna tuoba si siht\u202c',
  '{"loss": 1e400, "__proto__": {"loss": 1}}',
  '{"a":'.repeat(20_000),
  `Traceback\n${'  File "a.py", line 1, in a\n'.repeat(4_000)}MemoryError: \u001b[31mloss\u001b[0m`,
  '',
];

interface Pod extends KubeObject {
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

/** The programs in a hostile tenant's pods. */
export class HostilePods {
  readonly #admin: KubeClient;
  readonly #namespace: string;
  readonly #logs: string;
  #turn = 0;
  #log = 0;

  /** @param logs - the folder that simulated containers log from */
  constructor(admin: KubeClient, namespace: string, logs: string) {
    this.#admin = admin;
    this.#namespace = namespace;
    this.#logs = logs;
  }

  async list(): Promise<readonly Pod[]> {
    const { items } = await this.#admin.list(TYPES.pod, { namespace: this.#namespace });
    return items;
  }

  /** From now on all of them log something else. */
  nextLog(): void {
    const text = HOSTILE_LOGS[this.#log++ % HOSTILE_LOGS.length]?.() ?? '';
    const lines = text.split('\n').map((line) => `2026-01-01T00:00:00Z stdout F ${line}\n`);
    for (const file of ['trainer', 'any', 'fetch']) writeFileSync(join(this.#logs, `${file}.log`), lines.join(''));
  }

  /** Has programs end, each with words of its own: well, in failure, or as a node that says strange things. */
  async misbehave(most: number): Promise<void> {
    const running = (await this.list()).filter(({ status, metadata }) => {
      const isDrained = metadata.labels?.['app.kubernetes.io/instance'] === 'known-drain';
      return (
        status?.phase === 'Running' && !isDrained && metadata.annotations?.['sim.trunnion.dev/message'] === undefined
      );
    });
    for (const pod of running.slice(0, most)) await this.#end(pod).catch(() => undefined);
  }

  async #end(pod: Pod): Promise<void> {
    const turn = this.#turn++;
    const isResult = pod.metadata.labels?.['app.kubernetes.io/instance']?.startsWith('known-results') === true;
    const words = isResult ? EXTREME_RESULTS : LAST_WORDS;
    const message = words[turn % words.length] ?? '';
    const annotations = simulated({
      message,
      'delay-seconds': '0',
      ...(!isResult && turn % 3 === 0 && { fail: '137', reason: '\u001b[31mOOM\u202eKilled' }),
    });
    await this.#admin.patch(TYPES.pod, pod.metadata, { metadata: { annotations } });
    if (turn % 4 === 0)
      await this.#admin.patch(TYPES.pod, pod.metadata, { status: ODD_STATUS }, { subresource: 'status' });
  }
}

/** What a kubelet that was taken over says of a pod. */
const ODD_STATUS = {
  reason: '\u001b[2JEvicted\u0007',
  message: '\u202e\u001b]0;owned\u0007'.repeat(500),
  conditions: Array.from({ length: 40 }, (_, i) => ({
    type: `example.com/c${i}`,
    status: 'Unknown',
    reason: '__proto__',
    message: 'x'.repeat(1_000),
    lastTransitionTime: '0001-01-01T00:00:00Z',
  })),
};
