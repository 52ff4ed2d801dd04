import { ciFile } from './files/ci.ts';
import { containerFiles } from './files/container.ts';
import { exampleFile } from './files/example.ts';
import { kindFile } from './files/kind.ts';
import { operatorFile } from './files/operator.ts';
import { packageFiles } from './files/package.ts';
import { readmeFile } from './files/readme.ts';
import { testFiles } from './files/tests.ts';
import type { Names } from './names.ts';
import type { ProjectFile, Versions } from './types.ts';

/** All files of a project. */
export const projectFiles = (names: Names, versions: Versions): readonly ProjectFile[] => [
  ...packageFiles(names, versions),
  kindFile(names),
  operatorFile(names),
  ...testFiles(names),
  exampleFile(names),
  ...containerFiles(names),
  ciFile(names),
  readmeFile(names),
];

/** The commands by which a project is installed, tested, run, packed and deployed. */
export const COMMANDS = [
  { command: 'npm install', does: 'install what it needs' },
  { command: 'npm test', does: 'check the types, and lead a resource through its life without a cluster' },
  { command: 'npm run dev', does: 'apply the CRD and run the operator against your kubeconfig' },
  { command: 'npm run image', does: 'build its image' },
  { command: 'npm run deploy', does: 'write its chart, and install that with Helm' },
] as const;
