import { keepMemorySmall } from '../memory.ts';

/** The program of the image: `trunnion`, with `operator` as its one command. */
keepMemorySmall();
// Only now, since what is imported makes the heap grow.
const [{ Command }, { operatorCommand }, { processIo }, { packageVersion }, { runProgram, speakingThrough }] =
  await Promise.all([
    import('commander'),
    import('../commands/operator.ts'),
    import('../io.ts'),
    import('../package.ts'),
    import('../run.ts'),
  ]);
const io = processIo();
const program = new Command('trunnion').version(packageVersion()).addCommand(operatorCommand());
process.exitCode = await runProgram(speakingThrough(io, program), process.argv.slice(2), io);
