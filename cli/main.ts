#!/usr/bin/env node
import { basename } from 'node:path';
import { processIo } from './io.ts';
import { keepMemorySmall } from './memory.ts';

// Whoever reads our output may have seen enough: `trunnion render … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const args = process.argv.slice(2);
if (args[0] === 'operator') keepMemorySmall();
// Only now, since what is imported makes the heap grow.
const { run } = await import('./program.ts');
// kubectl finds a plugin by the name of its file.
const name = basename(process.argv[1] ?? '').startsWith('kubectl-') ? 'kubectl trunnion' : 'trunnion';
process.exitCode = await run(args, processIo(), name);
