import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bugs } from '../../faults/bugs.ts';
import { lives } from '../../faults/lives/index.ts';
import { allPlans } from '../../faults/plans/index.ts';

/** A life of a few writes, as a clean run would have told it. */
const lived = {
  states: {},
  writes: [3, 5, 6],
  changes: { 'create deployments/life': 1, 'create services/life': 1, 'delete pods/life': 1 },
  writesAtRest: [],
};

/** The rows of docs/faults.md that name plans of the campaign. */
const documented = [...readFileSync('docs/faults.md', 'utf8').matchAll(/^\| ([A-F]\d+) \|.*\|(.*)\|$/gm)]
  .filter(([, , where = '']) => /campaign/.test(where))
  .map(([, id = '']) => id);

describe.each(lives.map((life) => [life.type.kind, life] as const))('the plans for the life of a %s', (kind, life) => {
  const plans = allPlans({ life, lived });

  it('cover what the documentation says, and nothing else', () => {
    expect([...new Set(plans.map(({ id }) => id))].toSorted()).toEqual(documented.toSorted());
  });

  it('have names of their own', () => {
    const names = plans.map(({ id, name }) => `${id} ${name}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('kill at every write of the longest turn, after its answer and before it', () => {
    const killed = plans.filter(({ name }) => /^killed .* write \d+ of each turn$/.test(name));
    expect(killed.map(({ name }) => name)).toEqual(
      [1, 2, 3].flatMap((write) => [
        `killed after write ${write} of each turn`,
        `killed before the answer to write ${write} of each turn`,
      ]),
    );
  });

  it('have one for each planted bug', () => {
    const wanted = bugs.filter((bug) => bug.kind === kind && !bug.foundBy.startsWith('C2 pods'));
    for (const { foundBy } of wanted) {
      expect(plans.map(({ id, name }) => `${id} ${name}`)).toContainEqual(expect.stringContaining(foundBy));
    }
  });
});
