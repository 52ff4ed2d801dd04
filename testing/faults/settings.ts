import { existsSync } from 'node:fs';
import type { FaultsKind, FaultsOperator, FaultsOptions } from './options.ts';
import type { ResourceType } from '../../operator/kube/index.ts';
import { FaultsError } from './error.ts';
import type { OperatorProgram, Place } from './world.ts';

/** The default limits. */
export const DEFAULTS = { parallel: 4, minutes: 30, stepSeconds: 120 } as const;

/** More `*` in a path cost too long a search. */
const MOST_STARS = 3;

/** @throws FaultsError with all that is wrong */
export function checkOptions(options: FaultsOptions): void {
  const { operator, kinds, scenario, ignore = [], parallel, minutes, stepSeconds } = options;
  const names = scenario.flatMap(({ name }) => name ?? []);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  const problems = [
    Array.isArray(operator.command) && operator.command.length === 0
      ? "operator.command is empty. Give the program and its arguments: ['node', 'operator.ts']."
      : undefined,
    operator.cwd === undefined || existsSync(operator.cwd)
      ? undefined
      : `operator.cwd is ${operator.cwd}, and there is no such folder. Paths begin in ${process.cwd()}.`,
    kinds.length === 0
      ? 'kinds is empty. Give the kinds of the operator, the one that the scenario is about first.'
      : undefined,
    scenario.length === 0 ? 'scenario is empty. Give at least the step that creates the resource.' : undefined,
    repeated === undefined
      ? undefined
      : `scenario has two steps of the name "${repeated}". Give each a name of its own.`,
    ...Object.entries({ parallel, minutes, stepSeconds }).map(([field, value]) =>
      value === undefined || value > 0 ? undefined : `${field} is ${value}. Give a number above 0.`,
    ),
    ...ignore
      .filter((path) => path.split('*').length - 1 > MOST_STARS)
      .map((path) => `ignore has "${path}". A path may have "*" ${MOST_STARS} times at most.`),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new FaultsError(problems.join('\n'));
}

export const typeOf = (kind: FaultsKind): ResourceType => ('type' in kind ? kind.type : kind);

/** The operator as the campaign starts it. */
export function programOf({ command, env = {}, cwd, ready, mayEnd, rereadsToken }: FaultsOperator): OperatorProgram {
  return {
    launch: (place) => ({
      command: typeof command === 'function' ? command(place) : command,
      env: { ...placeIn(place), ...(typeof env === 'function' ? env(place) : env) },
      ...(cwd !== undefined && { cwd }),
    }),
    ...(ready !== undefined && {
      probe: (place) => (typeof ready === 'function' ? ready(place) : `http://127.0.0.1:${place.port}${ready}`),
    }),
    ...(mayEnd !== undefined && { mayEnd }),
    ...(rereadsToken !== undefined && { rereadsToken }),
  };
}

/** How a program learns where it is to work. A campaign in a pod must not lead it to the cluster of the pod. */
const placeIn = ({ kubeconfig, namespace, port }: Place): Readonly<Record<string, string | undefined>> => ({
  KUBECONFIG: kubeconfig,
  WATCH_NAMESPACE: namespace,
  POD_NAMESPACE: namespace,
  PORT: `${port}`,
  KUBERNETES_SERVICE_HOST: undefined,
  KUBERNETES_SERVICE_PORT: undefined,
});
