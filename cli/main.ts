#!/usr/bin/env node
import { basename } from 'node:path';
import { tooOldNode } from './node-version.ts';
import { runsUserCode } from './user-kinds/user-code.ts';

// Anyone who reads our output may have seen enough: `trunnion render … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const tooOld = tooOldNode(process.versions.node);
if (tooOld === undefined) {
  // Not before: an older Node.js lacks what these import, and says so in words that help nobody.
  const [{ processIo }, { run }] = await Promise.all([import('./io.ts'), import('./program.ts')]);
  // kubectl finds a plugin by the name of its file.
  const name = basename(process.argv[1] ?? '').startsWith('kubectl-') ? 'kubectl trunnion' : 'trunnion';
  process.exitCode = await run(process.argv.slice(2), processIo(), name);
  if (runsUserCode()) process.exit();
} else {
  process.stderr.write(`error: ${tooOld}\n`);
  process.exitCode = 1;
}
