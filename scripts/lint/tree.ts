/** What the rules of this folder read of a program's syntax tree (ESTree), and no more. */
export interface Node {
  readonly type: string;
  readonly parent?: Node | null;
}

export interface Identifier extends Node {
  readonly name: string;
}

export interface Call extends Node {
  readonly callee: Node;
  readonly arguments: readonly Node[];
}

/** What a name of a program stands for: where it is declared. */
interface Variable {
  readonly defs: readonly { readonly node: Node; readonly parent: Node | null }[];
}

interface Scope {
  readonly upper: Scope | null;
  readonly set: ReadonlyMap<string, Variable>;
}

/** What the linter hands to a rule. */
export interface Context {
  readonly options: readonly {
    readonly fixed?: readonly string[];
    readonly rooms?: readonly string[];
    readonly schemas?: readonly string[];
  }[];
  /** The file, with its whole path. */
  readonly filename: string;
  readonly sourceCode: { getScope(node: Node): Scope };
  report(problem: { readonly node: Node; readonly message: string }): void;
}

/** The one declaration of a name, as seen from a place; nothing where it has none or several. */
export function declarationOf(context: Context, name: Identifier): { node: Node; parent: Node | null } | undefined {
  for (let scope: Scope | null = context.sourceCode.getScope(name); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(name.name);
    if (variable !== undefined) return variable.defs.length === 1 ? variable.defs[0] : undefined;
  }
  return undefined;
}

export const isIdentifier = (node: Node | null | undefined): node is Identifier => node?.type === 'Identifier';
