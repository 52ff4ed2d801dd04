import { describe } from '../../../../../cli/errors.ts';
import { foundIn } from '../../../../../cli/user-kinds/found.ts';
import { loadModule } from '../../../../../cli/user-kinds/load.ts';

/** Loads modules in a process of their own, and prints what each gave, or what was said of it. */
const results: Record<string, unknown> = {};
for (const file of process.argv.slice(2)) {
  try {
    const { kinds, operator } = foundIn(await loadModule(file, 500));
    results[file] = { kinds: kinds.map(({ type }) => type.kind), operator: operator.name ?? '' };
  } catch (error) {
    results[file] = describe(error);
  }
}
process.stdout.write(JSON.stringify(results), () => process.exit());
