/** What vLLM's command line says, as far as the light engine acts on it. */
export interface Serve {
  /** The folder of the model. */
  readonly model: string;
  readonly servedName: string;
  readonly host: string;
  readonly port: number;
  /** Sequences that are made at the same time; more wait. */
  readonly maxNumSeqs: number;
  /** Tokens of a prompt and its answer together. */
  readonly maxModelLen: number;
  /** Seconds that requests in flight have left after SIGTERM. */
  readonly shutdownTimeout: number;
}

/** vLLM's own answer to a command line that it doesn't understand: argparse ends with 2. */
export const USAGE_ERROR = 2;

/** A command line that vLLM would refuse. */
export class UsageError extends Error {}

/**
 * vLLM 0.30.0's defaults: config/scheduler.py and engine/arg_utils.py (256 sequences for a server on a small device),
 * config/vllm.py (`shutdown_timeout`), entrypoints/launchers/launcher.py (all addresses of IPv4 without a host). The
 * longest context is the model's there, and a number here.
 */
const DEFAULTS = {
  host: '0.0.0.0',
  port: '8000',
  'max-num-seqs': '256',
  'max-model-len': '32768',
  'shutdown-timeout': '0',
} as const;

/** Flags of vLLM that stand alone; all others take a value. */
const SWITCHES: ReadonlySet<string> = new Set([
  'enforce-eager',
  'trust-remote-code',
  'enable-prefix-caching',
  'no-enable-prefix-caching',
  'disable-log-stats',
  'enable-log-requests',
]);

/**
 * Reads `serve MODEL --flag=value …`. A flag that it has no use for is accepted: users give vLLM many.
 *
 * @throws {UsageError} where vLLM would end with a message of usage
 */
export function parseServe(args: readonly string[]): Serve {
  const [command, ...rest] = args;
  if (command !== 'serve') {
    throw new UsageError(
      `the command is ${JSON.stringify(command ?? '')}: only "serve" is known. Use: vllm serve MODEL`,
    );
  }
  const { flags, positional } = split(rest);
  const [model, ...more] = positional;
  if (model === undefined) throw new UsageError('no model is given. Use: vllm serve MODEL');
  if (more.length > 0) throw new UsageError(`unrecognized arguments: ${more.join(' ')}`);
  const text = (flag: keyof typeof DEFAULTS): string => flags.get(flag) ?? DEFAULTS[flag];
  const count = (flag: keyof typeof DEFAULTS, least: number): number => {
    const value = Number(text(flag));
    if (Number.isInteger(value) && value >= least) return value;
    throw new UsageError(
      `argument --${flag}: it is ${JSON.stringify(text(flag))}; give a whole number from ${least} on`,
    );
  };
  return {
    model,
    servedName: flags.get('served-model-name') ?? model,
    host: text('host'),
    port: count('port', 0),
    maxNumSeqs: count('max-num-seqs', 1),
    maxModelLen: count('max-model-len', 1),
    shutdownTimeout: count('shutdown-timeout', 0),
  };
}

/** `--flag=value`, `--flag value` and `--switch`; vLLM takes an underscore for a hyphen. */
function split(args: readonly string[]): {
  readonly flags: ReadonlyMap<string, string>;
  readonly positional: readonly string[];
} {
  const flags = new Map<string, string>();
  const positional: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('--')) {
      positional.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = word.slice(2, equals < 0 ? undefined : equals).replaceAll('_', '-');
    if (equals >= 0) {
      flags.set(name, word.slice(equals + 1));
    } else if (SWITCHES.has(name)) {
      flags.set(name, 'true');
    } else {
      at += 1;
      const value = args[at];
      if (value === undefined) throw new UsageError(`argument --${name}: expected one argument`);
      flags.set(name, value);
    }
  }
  return { flags, positional };
}
