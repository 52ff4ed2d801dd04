import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Identity, Kind } from '../../operator/engine/api/index.ts';
import { TRUNNION } from '../../operator/trunnion.ts';
import type { DefinedKind } from '../../operator/runtime/index.ts';
import { allKinds } from '../kinds.ts';
import { SCHEMAS } from '../schemas.ts';
import { type Found, foundIn } from './found.ts';
import { loadModule } from './load.ts';
import { operatorOf } from './operator.ts';

/** Where a kind of the user's comes from. */
interface Origin {
  readonly file: string;
  readonly found: Found;
}

/** Commands pass kinds on as the engine has them; this is what is known beside. */
const origins = new WeakMap<object, Origin>();

/** Files by the groups of their kinds. */
const modules = new Map<string, string>();

/**
 * The kinds that a command knows: those of the user's modules, then ours.
 *
 * @param files - the modules, as the user has named them
 * @throws UsageError in one line, where a module can't be loaded or has no kind
 */
export async function knownKinds(
  files: readonly string[] = [],
  ours: readonly Kind[] = allKinds,
): Promise<readonly Kind[]> {
  const own: DefinedKind[] = [];
  for (const file of files) {
    const found = foundIn(await loadModule(file));
    for (const kind of found.kinds) {
      origins.set(kind, { file, found });
      modules.set(kind.type.group, file);
      own.push(kind);
    }
  }
  const ids = new Set(own.map(idOf));
  return [...new Set(own), ...ours.filter((kind) => !ids.has(idOf(kind)))];
}

const idOf = ({ type: { group, kind } }: Kind): string => `${group}/${kind}`;

/**
 * Who runs a kind.
 *
 * @throws UsageError where that is not known
 */
export function operatorOfKind(kind: object): Identity {
  const origin = origins.get(kind);
  return origin === undefined ? TRUNNION : operatorOf(origin.file, origin.found).identity;
}

/** Who runs these kinds, as far as modules say what their operators are called. */
export function operatorsOf(kinds: readonly Kind[]): readonly Identity[] {
  const operators = kinds.flatMap((kind) => {
    const found = origins.get(kind)?.found;
    return found !== undefined && found.operator.name === undefined ? [] : [operatorOfKind(kind)];
  });
  return [...new Map(operators.map((operator) => [operator.name, operator])).values()];
}

/** The module that a kind comes from; undefined for ours. */
export const moduleOf = (kind: object): string | undefined => origins.get(kind)?.file;

/** The module that has kinds of a group; undefined for ours. */
export const moduleOfGroup = (group: string): string | undefined => modules.get(group);

/** The schema of a kind. */
export function schemaOf(kind: Kind): KindSchema | undefined {
  if (origins.has(kind)) return (kind as DefinedKind).schema;
  return SCHEMAS.find((schema) => schema.group === kind.type.group && schema.kind === kind.type.kind);
}
