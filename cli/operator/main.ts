import { Command } from 'commander';
import { operatorCommand } from '../commands/operator.ts';
import { processIo } from '../io.ts';
import { packageVersion } from '../package.ts';
import { runProgram, speakingThrough } from '../run.ts';

/** The program of the image: `trunnion`, with `operator` as its one command. */
const io = processIo();
const program = new Command('trunnion').version(packageVersion()).addCommand(operatorCommand());
process.exitCode = await runProgram(speakingThrough(io, program), process.argv.slice(2), io);
