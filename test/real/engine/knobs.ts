/** What a test sets of the light engine, by variables of the environment. */
export interface Knobs {
  /** `LIGHT_TOKENS_PER_SECOND`: of one sequence, however many are made. Up to 1,000. Default: 100. */
  readonly tokensPerSecond: number;
  /** `LIGHT_EOS_AFTER`: the token after which an answer ends by itself, where `ignore_eos` isn't set. Default: 64. */
  readonly eosAfter: number;
  /** `LIGHT_KV_TOKENS`: tokens that its cache holds, by which its usage is told. Default: 16384. */
  readonly kvTokens: number;
  /** `LIGHT_START_SECONDS`: until it listens. Default: 0. */
  readonly startSeconds: number;
  /** `LIGHT_ALLOCATE_MIB`: memory that it takes before it listens, and keeps. Default: 0. */
  readonly allocateMib: number;
  /** `LIGHT_EXIT_CODE`: with which it ends instead of listening. Default: it listens. */
  readonly exitCode: number | undefined;
  /**
   * `LIGHT_CONTROL_PATH`: where it takes orders by POST, such as `/hidden`: `/hidden/unhealthy`, `/hidden/hang`,
   * `/hidden/exit/3`, `/hidden/allocate/512` (MiB). Default: it takes none.
   */
  readonly controlPath: string | undefined;
}

/** @throws where a variable is not a number, or is below the least, with its name */
export function readKnobs(env: Readonly<Record<string, string | undefined>>): Knobs {
  const number = (name: string, least: number): number | undefined => {
    const text = env[name] ?? '';
    if (text === '') return undefined;
    const value = Number(text);
    if (Number.isFinite(value) && value >= least) return value;
    throw new Error(`${name} is ${JSON.stringify(text)}; give a number from ${least} on, or leave it out`);
  };
  const controlPath = env['LIGHT_CONTROL_PATH'] || undefined;
  if (controlPath !== undefined && !/^(?:\/[\w-]+)+$/.test(controlPath)) {
    throw new Error(`LIGHT_CONTROL_PATH is ${JSON.stringify(controlPath)}; give a path such as "/hidden"`);
  }
  return {
    tokensPerSecond: number('LIGHT_TOKENS_PER_SECOND', 0.01) ?? 100,
    eosAfter: number('LIGHT_EOS_AFTER', 1) ?? 64,
    kvTokens: number('LIGHT_KV_TOKENS', 1) ?? 16_384,
    startSeconds: number('LIGHT_START_SECONDS', 0) ?? 0,
    allocateMib: number('LIGHT_ALLOCATE_MIB', 0) ?? 0,
    exitCode: number('LIGHT_EXIT_CODE', 0),
    controlPath,
  };
}
