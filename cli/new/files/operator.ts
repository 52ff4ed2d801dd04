import type { Names } from '../names.ts';
import type { ProjectFile } from '../types.ts';
import { imports } from './imports.ts';

/** The program. */
export const operatorFile = ({ kind, file, operator }: Names): ProjectFile => ({
  path: 'src/operator.ts',
  text: `${imports(['{ operate }', 'trunnion-operator'], [`{ ${kind} }`, `./${file}.ts`])}

await operate({ name: '${operator}', kinds: [${kind}] });
`,
});
