import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { convert } from '../../cli/convert/convert.ts';
import type { Equal } from '../../cli/convert/convert.ts';
import { printEquals } from '../../cli/convert/print.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { adminClient } from '../cluster/support/client.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { oddOne } from '../support/arbitrary-others.ts';
import { existing, forms } from '../support/others.ts';
import { Terminal } from './support/terminal.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { existing: true }));

/** The same in a namespace that there is, and under a name of its own. */
const placed = (manifest: Manifest, namespace: string, number: number): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, namespace, name: `odd-${number}` },
});

const equalOf = (manifest: Manifest): readonly Equal[] => {
  const equal = convert(manifest, [manifest, ...existing]);
  return equal === undefined || equal.problems.length > 0 ? [] : [equal];
};

/** An Agent has no equal before its user says which model it asks. */
const COMPLETE = Object.entries(forms).filter(([kind]) => kind !== 'Agent');

describe('what convert prints', () => {
  it.each(COMPLETE)(
    'of a %s, whatever is in that, is taken by the API server where nothing is to be corrected',
    async (_, of) => {
      const namespace = await testNamespace(admin);
      const terminal = new Terminal(namespace);
      const sources = [...of, ...fc.sample(oddOne(of), { numRuns: 40, seed: 1 })];
      const equals = sources.flatMap((source, number) => equalOf(placed(source, namespace, number)));
      expect(equals.length).toBeGreaterThan(0);
      terminal.write('equals.yaml', printEquals(equals));
      const applied = await terminal.run('kubectl apply -f equals.yaml --dry-run=server -o name');
      expect(applied.trim().split('\n')).toHaveLength(equals.length);
    },
  );
});
