import { join } from 'node:path';
import { RUN } from '../../scripts/image/config.ts';

/** A command line, and all variables of its environment. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What a container of the image runs, without the container: its own Node.js, options, program and variables.
 *
 * @param root - the folder of its root file system
 */
export function imageCommand(root: string): Command {
  const [node, ...args] = RUN.Entrypoint.map((word) => (word.startsWith('/') ? join(root, word) : word));
  const variables = RUN.Env.map((line): [string, string] => {
    const [name = '', ...value] = line.split('=');
    return [name, value.join('=')];
  });
  return { program: node ?? '', args, env: Object.fromEntries(variables) };
}
