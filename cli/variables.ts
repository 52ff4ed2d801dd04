import { delimiter } from 'node:path';

/**
 * Takes empty variables out of the environment. What reads it is not only we, but Commander, OpenTelemetry, Node itself and
 * the programs that a kubeconfig names, and to most of them an empty one is another value than none.
 */
export function forgetEmptyVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(env)) {
    // A list of files may be empty as well: kubectl passes over each that has no name.
    const isEmpty = name === 'KUBECONFIG' ? value?.split(delimiter).join('') === '' : value === '';
    if (isEmpty) delete env[name];
  }
}
