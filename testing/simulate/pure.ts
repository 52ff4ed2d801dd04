import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import { differencesOf } from './differences.ts';
import { SimulationError, listed } from './errors.ts';
import { frozen } from './server/index.ts';

/**
 * A kind whose functions are held to what the engine relies on: each is called twice, with values that can't be changed,
 * and must give the same. One that reads a clock, counts its calls or makes something up would decide otherwise after a
 * restart.
 */
export function held<R extends Resource, State>(kind: Kind<R, State>): Kind<R, State> {
  const reconcile: Kind<R, State>['reconcile'] = (snapshot, now) => {
    const given = frozen(snapshot);
    return same('reconcile', () => kind.reconcile(given, now));
  };
  const render: Kind<R, State>['render'] = (resource, state) => {
    const given = [frozen(resource), frozen(state)] as const;
    return same('construct', () => kind.render(...given));
  };
  // All else is as the kind has it, some of which it may work out when it is first asked.
  return Object.create(kind, { reconcile: { value: reconcile }, render: { value: render } }) as Kind<R, State>;
}

function same<T>(name: string, call: () => T): T {
  const first = call();
  const differences = differencesOf(first, call(), { one: 'at first', other: 'then' });
  if (differences.length === 0) return first;
  throw new SimulationError(
    `${name} must be pure, and gave two answers to the same question: ${listed(differences, 5)}. Take the time from now, and what else it needs from the resource, its children or its answers.`,
  );
}
