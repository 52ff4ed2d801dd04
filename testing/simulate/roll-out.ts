import type { Resource } from '../../operator/engine/api/index.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { SimulationError, listed } from './errors.ts';
import { makeReady } from './fates.ts';
import { shortName } from './names.ts';
import type { Run, Settled } from './run.ts';

/** So many times in a row something may become ready before it is a loop without an end. */
const MOST_ROUNDS = 100;

/** Tells one spec of an object from another. */
const versionOf = ({ metadata: { uid, generation }, spec }: KubeObject): string =>
  `${uid}/${generation ?? JSON.stringify(spec)}`;

/** A Job that failed stays so. */
function hasFailed({ kind, status }: KubeObject): boolean {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly { type: string; status: string }[] };
  return kind === 'Job' && conditions.some((condition) => condition.type === 'Failed' && condition.status === 'True');
}

/** Lets the operator work, and what it makes become ready, in turns, until all is. */
export function rollOut<R extends Resource>(run: Run<R>): Promise<Settled> {
  const known = new Set<string>();
  return run.counted(async () => {
    for (let round = 0; ; round += 1) {
      await run.settle();
      const { world } = run;
      const due = world.around.children.filter(
        (object) =>
          object.metadata.deletionTimestamp === undefined &&
          !hasFailed(object) &&
          (!known.has(versionOf(object)) || !world.observe(object).ready),
      );
      if (due.length === 0) return;
      if (round === MOST_ROUNDS) {
        throw new SimulationError(
          `it does not roll out: ${listed(due.map(shortName))} became ready ${MOST_ROUNDS} times, and is not`,
        );
      }
      for (const object of due) {
        makeReady(world, object);
        known.add(versionOf(object));
      }
    }
  });
}
