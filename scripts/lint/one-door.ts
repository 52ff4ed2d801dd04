/**
 * Refuses an import that goes into a room by another way than its door, `index.ts`: what a room shows is said in one place,
 * and the rest of it may change without anyone outside knowing. The tests of a room are of its household. A room that has
 * schemas shows them at a door of their own, `schema.ts`, so that zod is in nobody's declarations who asks for none.
 */
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Node } from './tree.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Paths of folders. */
const PATHS = { type: 'array', items: { type: 'string' } };

interface Import extends Node {
  readonly source: { readonly value?: unknown } | null;
}

export const oneDoor = {
  meta: {
    schema: [{ type: 'object', properties: { rooms: PATHS, schemas: PATHS } }],
  },
  create(context: Context) {
    const [{ rooms = [], schemas = [] } = {}] = context.options;
    const file = pathOf(context.filename);
    const check = (node: Import): void => {
      const target = node.source?.value;
      if (typeof target !== 'string' || !target.startsWith('.')) return;
      const path = pathOf(join(dirname(context.filename), target));
      const room = rooms.find((each) => path.startsWith(`${each}/`) && !file.startsWith(`${each}/`));
      if (room === undefined || path === `${room}/index.ts`) return;
      if (path === `${room}/schema.ts` && schemas.includes(room)) return;
      context.report({ node, message: `${room} has one door: import from ${room}/index.ts, or let it show more.` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

const pathOf = (path: string): string => relative(ROOT, path).split(sep).join('/');
