/** What it takes of a process to restart it in place. */
export type Replaceable = Pick<NodeJS.Process, 'pid' | 'execPath' | 'execArgv' | 'argv' | 'env' | 'execve'>;

/**
 * Restarts the program in place of this process, where nobody else would do so at once.
 *
 * Anyone who started a process starts it again when it ends: systemd and shells at once, a kubelet only after a back-off of up
 * to five minutes where it ended a moment ago as well. Two replicas that lose their lease by the same stall would both
 * wait, and nobody would lead. The process that a kubelet starts is the first of its container.
 *
 * Nothing of what was is left: memory, connections and threads go with the program that ends.
 */
export function restart(running: Replaceable = process): void {
  const { pid, execPath, execArgv, argv, env } = running;
  if (pid === 1) running.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], env);
}
