/**
 * Refuses `f(...values)` where the number of values is not known: each argument of a call takes room on the stack, and
 * about 120,000 of them end it. `Math.max(...values)` and `list.push(...values)` are the usual ones; a loop, `reduce` or
 * `concat` does the same without a limit.
 *
 * Allowed without a word: an array literal of fixed length, a constant that is one, and a rest parameter that is handed
 * on, since anyone who filled it was judged where it did. The option `fixed` names functions that are given lists of the
 * program alone, when it loads.
 */
import { declarationOf, isIdentifier, type Call, type Context, type Identifier, type Node } from './tree.ts';

interface Spread extends Node {
  readonly argument: Node;
}

interface ArrayLiteral extends Node {
  readonly elements: readonly (Node | null)[];
}

interface Declarator extends Node {
  readonly init: Node | null;
}

interface WithParameters extends Node {
  readonly params: readonly (Node & { readonly argument?: Node })[];
}

const MESSAGE =
  'This call takes as many arguments as the value has elements, and overflows the stack at about 120,000. ' +
  'Use a loop, reduce() or concat(); where the length is fixed, write an array literal.';

export const noUnboundedSpread = {
  meta: {
    schema: [{ type: 'object', properties: { fixed: { type: 'array', items: { type: 'string' } } } }],
  },
  create(context: Context) {
    const [{ fixed = [] } = {}] = context.options;
    const check = (call: Call): void => {
      if (isIdentifier(call.callee) && fixed.includes(call.callee.name)) return;
      for (const argument of call.arguments) {
        if (isSpread(argument) && !isBounded(context, argument.argument)) {
          context.report({ node: argument, message: MESSAGE });
        }
      }
    };
    return {
      CallExpression(call: Call) {
        check(call);
        if (isApply(call)) context.report({ node: call, message: MESSAGE });
      },
      NewExpression: check,
    };
  },
};

const isSpread = (node: Node | null): node is Spread => node?.type === 'SpreadElement';

/** `Math.max.apply(null, values)`, `list.push.apply(list, values)` and `Reflect.apply(…)` are the same as a spread. */
function isApply({ callee, arguments: [first, second] }: Call): boolean {
  if (!isMember(callee) || second === undefined) return false;
  const { object, property } = callee;
  if (!isIdentifier(property) || !['apply', 'construct'].includes(property.name)) return false;
  if (isIdentifier(object) && object.name === 'Reflect') return true;
  if (first?.type === 'Literal') return (first as Node & { readonly value: unknown }).value === null;
  if (!isIdentifier(first)) return false;
  return (
    first.name === 'undefined' || (isMember(object) && isIdentifier(object.object) && object.object.name === first.name)
  );
}

interface Member extends Node {
  readonly object: Node;
  readonly property: Node;
}

const isMember = (node: Node): node is Member => node.type === 'MemberExpression';

const isWrapped = (node: Node): node is Node & { readonly expression: Node } =>
  node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression';

/** Takes off what only the compiler reads: `values as const`. */
const bare = (node: Node): Node => (isWrapped(node) ? bare(node.expression) : node);

function isBounded(context: Context, spread: Node): boolean {
  const value = bare(spread);
  if (value.type === 'ArrayExpression') {
    return (value as ArrayLiteral).elements.every((each) => !isSpread(each) || isBounded(context, each.argument));
  }
  if (value.type === 'ConditionalExpression') {
    const { consequent, alternate } = value as Node & { readonly consequent: Node; readonly alternate: Node };
    return isBounded(context, consequent) && isBounded(context, alternate);
  }
  return isIdentifier(value) && isBoundedName(context, value);
}

function isBoundedName(context: Context, name: Identifier): boolean {
  const declaration = declarationOf(context, name);
  if (declaration === undefined) return false;
  if ('params' in declaration.node) return isRest(declaration.node as WithParameters, name);
  const { init } = declaration.node as Declarator;
  return isConstant(declaration.parent) && !!init && bare(init).type === 'ArrayExpression' && isBounded(context, init);
}

const isConstant = (node: Node | null): boolean =>
  node !== null && (node as Node & { readonly kind?: string }).kind === 'const';

const isRest = (inside: WithParameters, name: Identifier): boolean =>
  inside.params.some(
    (parameter) =>
      parameter.type === 'RestElement' && isIdentifier(parameter.argument) && parameter.argument.name === name.name,
  );
