import type { EnvVar } from './kube.ts';

/**
 * Puts something instead of each `$(NAME)` of a text that Kubernetes expands. It reads the text as Kubernetes does: `$$`
 * stands for a `$` and begins no reference (kubernetes 1.36, third_party/forked/golang/expansion/expand.go).
 *
 * @param replace - gives what takes its place, or undefined where it stays
 * @param dollar - what takes the place of `$$`
 */
function mapReferences(text: string, replace: (name: string) => string | undefined, dollar: '$' | '$$'): string {
  const lastClose = text.lastIndexOf(')');
  const parts: string[] = [];
  let at = 0;
  let from = 0;
  const put = (part: string, next: number): void => {
    parts.push(text.slice(from, at), part);
    at = next;
    from = next;
  };
  while (at < text.length) {
    if (text.startsWith('$$', at)) put(dollar, at + 2);
    else if (text.startsWith('$(', at) && at < lastClose) {
      const end = text.indexOf(')', at) + 1;
      put(replace(text.slice(at + 2, end - 1)) ?? text.slice(at, end), end);
    } else at += 1;
  }
  return [...parts, text.slice(from)].join('');
}

/**
 * Variables as a program sees them, as far as their values are said here: in a value, `$(NAME)` stands for a variable that
 * comes before it. What a Secret or a field gives stays a reference.
 */
export function expandedVariables(variables: readonly EnvVar[]): readonly EnvVar[] {
  const known = new Map<string, string>();
  return variables.map((variable) => {
    const { name, value, valueFrom } = variable;
    if (valueFrom) {
      known.delete(name);
      return variable;
    }
    const expanded = mapReferences(value ?? '', (each) => known.get(each), '$');
    known.set(name, expanded);
    return { name, value: expanded };
  });
}

/** How variables of one container are taken to another. */
interface Taking {
  /** Of these only what stands before a variable is seen by it. */
  readonly from: readonly EnvVar[];
  readonly wanted: ReadonlySet<string>;
  /** Variables that are the same in both. */
  readonly shared: ReadonlySet<string>;
  /** Begins the names of what the wanted ones refer to. */
  readonly prefix: string;
}

/**
 * Takes variables to another container with all that their values refer to, each behind what it refers to. What is referred to
 * gets a name of its own there: under its old one it could mean something to the program.
 */
export function takenVariables({ from, wanted, shared, prefix }: Taking): readonly EnvVar[] {
  const taken = new Map<string, EnvVar>();
  // A variable refers to earlier ones alone, so each step leads nearer to the first.
  const take = (index: number, name: string): void => {
    const variable = from[index];
    if (!variable || taken.has(name)) return;
    const { value } = variable;
    const rewritten =
      value === undefined
        ? variable
        : {
            ...variable,
            value: mapReferences(
              value,
              (each) => {
                const at = from.findIndex((other) => other.name === each);
                if (at === -1 || at >= index || shared.has(each)) return undefined;
                take(at, `${prefix}${each}`);
                return `$(${prefix}${each})`;
              },
              '$$',
            ),
          };
    taken.set(name, { ...rewritten, name });
  };
  for (const [index, { name }] of from.entries()) if (wanted.has(name)) take(index, name);
  return [...taken.values()];
}

/** Each variable once, as it is said last: two of one name are refused by the API server. */
export const uniqueVariables = (variables: readonly EnvVar[]): EnvVar[] => [
  ...new Map(variables.map((variable) => [variable.name, variable])).values(),
];
