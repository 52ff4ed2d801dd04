/**
 * Refuses a regular expression that is put together from values: no checker sees what it comes to, so nobody knows whether
 * it can backtrack, and text from outside could become a pattern. A literal, and `new RegExp` of one plain string, are
 * checked like all others.
 */
import { isIdentifier, type Call, type Context, type Node } from './tree.ts';

const MESSAGE =
  'A regular expression that is built from values cannot be checked for backtracking. ' +
  'Write a literal, compare text with indexOf(), startsWith() or slice(), or choose from a table of literals.';

export const noBuiltRegexp = {
  create(context: Context) {
    const check = (call: Call): void => {
      const [pattern] = call.arguments;
      if (isIdentifier(call.callee) && call.callee.name === 'RegExp' && pattern !== undefined && !isPlain(pattern)) {
        context.report({ node: call, message: MESSAGE });
      }
    };
    return { CallExpression: check, NewExpression: check };
  },
};

/** A literal, or a template without a value in it, with or without `String.raw`. */
function isPlain(node: Node): boolean {
  if (node.type === 'Literal') return true;
  const template = node.type === 'TaggedTemplateExpression' ? (node as Node & { readonly quasi: Node }).quasi : node;
  return (
    template.type === 'TemplateLiteral' &&
    (template as Node & { readonly expressions: unknown[] }).expressions.length === 0
  );
}
