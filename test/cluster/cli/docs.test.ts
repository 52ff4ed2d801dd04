import { delimiter, dirname } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { blocks, commandsOf } from '../../support/markdown.ts';
import { run } from '../../support/run.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { installTrunnion } from '../support/operator.ts';

beforeAll(() => installTrunnion(adminClient()));

const examples = (await blocks()).filter(({ info }) => info === 'console cluster');

test.for(examples)('the commands of $file run, one after the other', async (block) => {
  const { kubeconfig, kubectl } = cluster();
  const PATH = [dirname(kubectl), process.env['PATH']].join(delimiter);
  for (const command of commandsOf(block)) {
    const { code, stderr } = await run('bash', ['-c', command], {
      env: { ...process.env, KUBECONFIG: kubeconfig, PATH },
    });
    expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' });
  }
});
