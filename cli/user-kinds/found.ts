import type { DefinedKind } from '../../operator/runtime/index.ts';
import { UsageError } from '../errors.ts';
import type { LoadedModule } from './load.ts';

/** What a module says of the operator of its kinds. */
export interface OperatorWords {
  /** @default - the module does not say */
  readonly name?: string;
  /** @default - the group of the first kind */
  readonly domain?: string;
}

/** What was found in a module. */
export interface Found {
  readonly kinds: readonly DefinedKind[];
  readonly operator: OperatorWords;
}

/**
 * The kinds of a module: what it exports, alone or in a list, and what it has `operate` run.
 *
 * @throws UsageError in one line, where there is none
 */
export function foundIn({ file, exports, operators }: LoadedModule): Found {
  const [run, ...more] = operators;
  if (run !== undefined && more.some(({ name }) => name !== run.name)) {
    const names = operators.map(({ name }) => name).join(', ');
    throw new UsageError(`${file} runs several operators (${names}): name a module that runs one`);
  }
  const values = [...operators.flatMap(({ kinds }) => kinds), ...Object.values(exports).flat()];
  const kinds = [...new Set(values.filter(isKind))];
  if (kinds.length === 0) {
    throw new UsageError(
      `${file} exports no kind: export what defineKind gives, as in export const WebApp = defineKind({ ... })`,
    );
  }
  const ids = kinds.map(({ type }) => `${type.kind} (${type.group})`);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new UsageError(`${file} has two kinds ${twice}: export one of them`);
  return { kinds, operator: run ?? exportedOperator(file, exports['operator']) };
}

function exportedOperator(file: string, exported: unknown): OperatorWords {
  if (exported === undefined) return {};
  const { name, domain }: { readonly name?: unknown; readonly domain?: unknown } = Object(exported);
  const problems = [
    ...(typeof name === 'string' ? [] : [`operator.name must be a text, got ${typeof name}`]),
    ...(domain === undefined || typeof domain === 'string'
      ? []
      : [`operator.domain must be a text, got ${typeof domain}`]),
  ];
  if (problems.length > 0) throw new UsageError(`${file}: ${problems.join('; ')}`);
  return { name: name as string, ...(domain !== undefined && { domain: domain as string }) };
}

/** Of whichever copy of this package: a kind is told by what it can do. */
function isKind(value: unknown): value is DefinedKind {
  if (typeof value !== 'object' || value === null) return false;
  const { type, schema, crd, reconcile, render }: Partial<DefinedKind> = value;
  return (
    [crd, reconcile, render].every((each) => typeof each === 'function') &&
    [type, schema].every((each) => typeof each === 'object')
  );
}
