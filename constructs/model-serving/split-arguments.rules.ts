import type { Problem } from '../schema/error.ts';
import { objectIn } from '../schema/json.ts';
import { SPLIT_ARGUMENTS, type EngineType } from './engines.ts';

/** What vLLM refuses on workers (vLLM 0.30.0, entrypoints/cli/serve.py, cmd). */
const API_SERVERS: ReadonlySet<string> = new Set(['--api-server-count', '-asc']);

/**
 * Arguments of the user's that follow from `nodes`, `parallelism.data` or `parallelism.expert`. The API server can't look for so many
 * names in so many arguments: the cost of all rules of a CRD is limited. So hosts refuse them, and the operator by a condition.
 *
 * @param spec - may be ill-formed
 */
export function splitArgumentProblems(spec: unknown): readonly Problem[] {
  const { nodes, parallelism, engine } = objectIn(spec);
  const { type, args } = objectIn(engine);
  const { data, expert } = objectIn(parallelism);
  const isGrouped = typeof nodes === 'number' && nodes > 1;
  const isSplit = isGrouped || (typeof data === 'number' && data > 1) || expert === true;
  const names = SPLIT_ARGUMENTS[type as EngineType];
  if (!isSplit || names === undefined || !Array.isArray(args)) return [];
  return args.flatMap((argument: unknown, index): readonly Problem[] => {
    const name = nameOf(argument);
    const path = `spec.engine.args[${index}]`;
    if (names.includes(name)) {
      const message = `must not be ${name}, which follows from nodes, parallelism.data and parallelism.expert: leave it out, and say it by these`;
      return [{ path, message }];
    }
    if (!isGrouped || type !== 'vllm' || !API_SERVERS.has(name)) return [];
    const message = `must not be ${name} where nodes is above 1, since vllm refuses it on workers: leave it out, there is one for each copy of the model`;
    return [{ path, message }];
  });
}

/** Every engine's parser takes `-` and `_` in a name as the same. */
function nameOf(argument: unknown): string {
  const [name = ''] = typeof argument === 'string' ? argument.split('=', 1) : [];
  return name.startsWith('--') ? `--${name.slice(2).replaceAll('_', '-')}` : name;
}
