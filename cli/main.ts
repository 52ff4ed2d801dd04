#!/usr/bin/env node
import { basename } from 'node:path';
import { processIo } from './io.ts';
import { run } from './program.ts';

// Anyone who reads our output may have seen enough: `trunnion render … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// kubectl finds a plugin by the name of its file.
const name = basename(process.argv[1] ?? '').startsWith('kubectl-') ? 'kubectl trunnion' : 'trunnion';
process.exitCode = await run(process.argv.slice(2), processIo(), name);
