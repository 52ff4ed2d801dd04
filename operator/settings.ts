import { variable } from './kube/index.ts';

/** A variable of the environment says something that can't be read. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/**
 * What a variable of the environment says; undefined where it isn't set.
 *
 * @param allowed - in words, for a person
 * @param read - gives undefined for what is not allowed
 * @throws SettingError where it says something else
 */
export function settingFrom<T>(name: string, allowed: string, read: (text: string) => T | undefined): T | undefined {
  const text = variable(name);
  if (text === undefined) return undefined;
  const value = read(text);
  if (value !== undefined) return value;
  throw new SettingError(
    `the variable ${name} of the environment must be ${allowed}; got ${JSON.stringify(text.slice(0, 80))}`,
  );
}
