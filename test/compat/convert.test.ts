import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { convert } from '../../compat/convert/convert.ts';
import type { Equivalent } from '../../compat/convert/convert.ts';
import { printEquivalents } from '../../cli/convert/print.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { adminClient } from '../cluster/support/client.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { oddOne } from '../support/arbitrary-others.ts';
import { compat, forms } from '../support/others.ts';
import { Terminal } from './support/terminal.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

/** The same in a namespace that there is, and under a name of its own. */
const placed = (manifest: Manifest, namespace: string, number: number): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, namespace, name: `odd-${number}` },
});

const equivalentOf = (manifest: Manifest): readonly Equivalent[] => {
  const equivalent = convert(manifest, [manifest, ...compat]);
  return equivalent === undefined || equivalent.problems.length > 0 ? [] : [equivalent];
};

/** An Agent has no equivalent before its user says which model it asks. */
const COMPLETE = Object.entries(forms).filter(([kind]) => kind !== 'Agent');

describe('what convert prints', () => {
  it.each(COMPLETE)(
    'of a %s, whatever is in that, is taken by the API server where nothing is to be corrected',
    async (_, of) => {
      const namespace = await testNamespace(admin);
      const terminal = new Terminal(namespace);
      const sources = [...of, ...fc.sample(oddOne(of), { numRuns: 40, seed: 1 })];
      const equivalents = sources.flatMap((source, number) => equivalentOf(placed(source, namespace, number)));
      expect(equivalents.length).toBeGreaterThan(0);
      terminal.write('equivalents.yaml', printEquivalents(equivalents));
      const applied = await terminal.run('kubectl apply -f equivalents.yaml --dry-run=server -o name');
      expect(applied.trim().split('\n')).toHaveLength(equivalents.length);
    },
  );
});
