import type { Resource } from '../../operator/engine/api/index.ts';
import { differencesOf } from './differences.ts';
import { SimulationError, listed } from './errors.ts';
import { Life } from './life.ts';
import { longName } from './names.ts';
import { runOptions, type SimulatedKind, type SimulateOptions } from './simulate.ts';

/** What happens in a life. */
export type Scenario<R extends Resource, Written = R['spec']> = (life: Life<R, Written>) => unknown;

/** Most writes of a scenario: it is gone through once for each. */
const MOST_WRITES = 1_000;

/**
 * Leads the same life again and again, and kills the operator after another one of its writes each time: the write has
 * its effect, the operator gets no answer, and all that it had in memory is gone. Whenever it was killed, the life must
 * end as the one without a kill.
 *
 * @param scenario - what happens; what it throws ends all
 * @returns how many writes there were
 * @throws SimulationError where a life ends otherwise: after which write, and how
 */
export async function killAtEachWrite<R extends Resource, State, Written = R['spec']>(
  kind: SimulatedKind<R, State, Written>,
  given: SimulateOptions<NoInfer<Written>>,
  scenario: Scenario<R, Written>,
): Promise<{ readonly writes: number }> {
  const options = runOptions(kind, given);
  const whole = new Life<R, Written>(options);
  await scenario(whole);
  const { writes } = whole;
  if (writes.length > MOST_WRITES) {
    throw new SimulationError(`the scenario has ${writes.length} writes, and may have ${MOST_WRITES}: make it shorter`);
  }
  const expected = endOf(whole);
  for (const [index, write] of writes.entries()) {
    const when = `the operator was killed after write ${index + 1} (${write})`;
    const life = new Life<R, Written>({ ...options, isKilledAfter: (count) => count === index + 1 });
    try {
      await scenario(life);
    } catch (error) {
      throw new SimulationError(`${when}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    const differences = differencesOf(expected, endOf(life), { one: 'without the kill', other: 'with it' });
    if (differences.length > 0) {
      throw new SimulationError(
        `${when}, and the life ended otherwise: ${listed(differences, 10)}. What a pass needs to know must be in the resource, its status or its children.`,
      );
    }
  }
  return { writes: writes.length };
}

/** All objects by name, without what counts versions. How often each was made is told in place of its UID. */
function endOf<R extends Resource, Written>(life: Life<R, Written>): Readonly<Record<string, object>> {
  const all = life.objects();
  const named = all.map((object) => {
    const { resourceVersion: _, managedFields: __, uid: ___, ...metadata } = object.metadata;
    return [longName(object), { ...object, metadata, timesMade: life.timesMade(object) }] as const;
  });
  // Others name an object by its UID, in owner references and in labels.
  const text = all.reduce(
    (whole, object) => whole.replaceAll(object.metadata.uid, `UID of ${longName(object)}`),
    JSON.stringify(Object.fromEntries(named)),
  );
  return JSON.parse(text) as Readonly<Record<string, object>>;
}
