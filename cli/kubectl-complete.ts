#!/usr/bin/env node
/** `kubectl_complete-trunnion`: what kubectl's own completion asks of this plugin. */
import { processIo } from './io.ts';
import { run } from './program.ts';

process.exitCode = await run(['__complete', '--', ...process.argv.slice(2)], processIo());
