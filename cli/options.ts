import { type Command, InvalidArgumentError, Option } from 'commander';

/** The groups of commands in the help, by what their user is about to do. */
export const GROUPS = {
  start: 'Start:',
  look: 'Look:',
  change: 'Change:',
  develop: 'Develop:',
  more: 'More:',
} as const;

/** Where the operator lives by default. */
export const OPERATOR_NAMESPACE = 'trunnion-system';

/** How data is printed: for a person, or for a program. */
export type Format = 'text' | 'json' | 'yaml';

/** Which cluster a command works on. */
export interface ClusterOptions {
  /**
   * Path of a kubeconfig.
   *
   * @default - `KUBECONFIG`, else ~/.kube/config, else the cluster that this process runs in
   */
  readonly kubeconfig?: string;
  /** @default - the kubeconfig's current context */
  readonly context?: string;
}

/** Adds the options that say which cluster a command works on. */
export function withClusterOptions(command: Command): Command {
  return command
    .option('--kubeconfig <path>', 'kubeconfig to use (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', "context of the kubeconfig (default: the kubeconfig's current one)");
}

/** Adds the option that names a file with resources. */
export function withFile(command: Command): Command {
  return command.requiredOption('-f, --file <path>', 'file with resources, as YAML or JSON; - is the standard input');
}

/** The kinds that a command takes beside ours. */
export interface KindsOptions {
  /** @default - none but ours */
  readonly kinds?: readonly string[];
}

/** Adds the option that names modules with kinds of the user's. */
export function withKinds(command: Command): Command {
  return command.option(
    '--kinds <path>',
    'module with kinds of your own, which are known beside ours; it may be given several times',
    (path: string, before: readonly string[] | undefined) => [...(before ?? []), path],
  );
}

/**
 * Adds the option that says how data is printed.
 *
 * @param formats - those that there are, the default first
 */
export function withOutput(command: Command, formats: readonly string[] = ['text', 'json', 'yaml']): Command {
  return command.addOption(new Option('-o, --output <format>', 'format').choices(formats).default(formats[0]));
}

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/** The examples in a command's help. */
export const examplesOf = (command: Command): readonly string[] => EXAMPLES.get(command) ?? [];

/** Adds examples to a command's help. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  EXAMPLES.set(command, examples);
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
}

/** Reads a count from the command line. */
export function count(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 9999.');
  return Number(text);
}

/** Reads a port from the command line. */
export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('It must be a port, from 0 to 65535.');
  }
  return Number(text);
}
