import { readFileSync } from 'node:fs';
import { App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import type { Workload } from '../../../constructs/workload.ts';

const page = readFileSync('docs/concepts/order.md', 'utf8');
const [, table = ''] = /^\| Kind \| Child .*?\n\|-.*?\n(.*?)\n\n/ms.exec(page) ?? [];

/** The rows as the page has them. */
const shown = table.split('\n').map((row) => row.split('|')[2]?.trim() + ' ← ' + row.split('|')[3]?.trim());

const chart = new Chart(new App(), 'order');
const named = (name: string) => ({ name, namespace: 'models' });
const serving = (accessMode: 'ReadWriteMany' | 'ReadWriteOnce') =>
  new ModelServing(chart, accessMode, {
    ...named(accessMode.toLowerCase()),
    spec: {
      model: { uri: 's3://models/llama/' },
      storage: { size: '40Gi', accessMode },
      engine: { type: 'vllm' },
      resources: { gpu: 1 },
    },
  });

const workloads: readonly Workload[] = [
  serving('ReadWriteMany'),
  serving('ReadWriteOnce'),
  new DistributedTraining(chart, 'resnet', { ...named('resnet'), spec: { framework: 'pytorch', image: 'train:1' } }),
  new AgentService(chart, 'agent', { ...named('agent'), spec: { image: 'agent:1', model: 'gpt-4o' } }),
];

test('the page says what waits for what', () => {
  const waits = workloads.flatMap((workload) =>
    workload
      .render()
      .filter(({ after }) => after.length > 0)
      .map(({ id, after }) => `\`${id}\` ← ${after.map((other) => `\`${other}\``).join(', ')}`),
  );
  expect(shown).toEqual(waits);
});
