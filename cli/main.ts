#!/usr/bin/env node
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
process.exitCode = await run(args, processIo());
