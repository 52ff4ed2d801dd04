import type { Io } from '../../cli/io.ts';
import { run } from '../../cli/program.ts';

/** What a command line did. */
export interface CommandResult {
  readonly code: number;
  /** Data. */
  readonly stdout: string;
  /** Talk. */
  readonly stderr: string;
}

/** Runs a command line in this process, off a terminal. */
export async function trunnion(args: readonly string[], input = ''): Promise<CommandResult> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const io: Io = {
    out: (text) => void stdout.push(text),
    log: (line) => void stderr.push(`${line}\n`),
    paint: (_, text) => text,
    width: Infinity,
    confirm: () => Promise.resolve(false),
    readInput: () => Promise.resolve(input),
  };
  const code = await run(args, io);
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}
