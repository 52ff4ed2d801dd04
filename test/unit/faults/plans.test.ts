import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bugs } from '../../faults/bugs.ts';
import { scenarios } from '../../faults/scenarios/index.ts';
import { allPlans } from '../../../testing/faults/plans/index.ts';

/** A scenario of a few writes, as a fault-free run would have recorded it. */
const run = {
  states: {},
  writes: [3, 5, 6],
  changes: { 'create deployments/scenario': 1, 'create services/scenario': 1, 'delete pods/scenario': 1 },
  writesAtRest: [],
  traffic: {
    watched: ['deployments', 'pods', 'services'],
    watches: 4,
    reads: 3,
    streamsLists: true,
    takesOldLists: true,
  },
};

/** The rows of docs/faults.md that name plans of the campaign. */
const documented = [...readFileSync('docs/faults.md', 'utf8').matchAll(/^\| ([A-F]\d+) \|.*\|(.*)\|$/gm)]
  .filter(([, , where = '']) => /campaign/.test(where))
  .map(([, id = '']) => id);

describe.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
  'the plans for the scenario of a %s',
  (kind, scenario) => {
    const traffic = { ...run.traffic, watched: [scenario.subject.type.plural, ...run.traffic.watched] };
    const plans = allPlans({ scenario, run: { ...run, traffic }, rereadsToken: true });

    it('cover what the documentation says, and nothing else', () => {
      expect([...new Set(plans.map(({ id }) => id))].toSorted()).toEqual(documented.toSorted());
    });

    it('have names of their own', () => {
      const names = plans.map(({ id, name }) => `${id} ${name}`);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    });

    it('kill at every write of the longest step, after its answer and before it', () => {
      const killed = plans.filter(({ name }) => /^killed .* write \d+ of each step$/.test(name));
      expect(killed.map(({ name }) => name)).toEqual(
        [1, 2, 3].flatMap((write) => [
          `killed after write ${write} of each step`,
          `killed before the answer to write ${write} of each step`,
        ]),
      );
    });

    it('have one for each planted bug', () => {
      const wanted = bugs.filter((bug) => bug.kind === kind && !bug.foundBy.startsWith('C2 pods'));
      for (const { foundBy } of wanted) {
        expect(plans.map(({ id, name }) => `${id} ${name}`)).toContainEqual(expect.stringContaining(foundBy));
      }
    });
  },
);
