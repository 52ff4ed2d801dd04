/**
 * Loaded with `--import` before the operator: plants the bug that TRUNNION_TEST_BUG names, by an edit of its source as it
 * is loaded. The product itself has no switch for it.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bugs, leadershipBug } from './bugs.ts';

const bug = [...bugs, leadershipBug].find(({ name }) => name === process.env['TRUNNION_TEST_BUG']);
if (bug === undefined) throw new Error(`there is no bug "${process.env['TRUNNION_TEST_BUG']}"`);
const file = new URL(`../../${bug.file}`, import.meta.url).href;
const source = readFileSync(fileURLToPath(file), 'utf8');
if (!source.includes(bug.find)) throw new Error(`${bug.file} no longer has what the bug "${bug.name}" replaces`);

registerHooks({
  load: (url, context, next) =>
    url === file
      ? { format: 'module', source: stripTypeScriptTypes(source.replace(bug.find, bug.replace)), shortCircuit: true }
      : next(url, context),
});
