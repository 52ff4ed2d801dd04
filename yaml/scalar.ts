import type { Scalar } from 'yaml';
import { YamlError } from './error.ts';
import { plainScalar, type PlainScalar } from './plain-scalar.ts';

const TAG = 'tag:yaml.org,2002:';

/** What a tag asks for, by the end of its name. Other tags, and those of lists and maps, make text of a scalar. */
const TAGGED: Readonly<Record<string, readonly PlainScalar['is'][]>> = {
  null: ['null'],
  bool: ['bool'],
  int: ['int'],
  float: ['float', 'int'],
};

/**
 * The value of a scalar.
 *
 * @param where - begins a message
 * @throws YamlError where it has no equal in JSON, or isn't what its tag says
 */
export function scalarValue({ value, tag, type }: Scalar, where: () => string): unknown {
  const text = typeof value === 'string' ? value : '';
  if (tag === undefined) return type === 'PLAIN' ? valueOf(plainScalar(text), text, where) : text;
  const name = tag.startsWith(TAG) ? tag.slice(TAG.length) : '';
  if (name === 'binary') return decoded(text, where);
  const wanted = TAGGED[name];
  if (wanted === undefined) return text;
  const scalar = plainScalar(text);
  if (!wanted.includes(scalar.is)) throw new YamlError(`${where()}${JSON.stringify(text)} is no !!${name}`);
  return valueOf(scalar, text, where);
}

function valueOf(scalar: PlainScalar, text: string, where: () => string): unknown {
  if (scalar.is === 'float' && !Number.isFinite(scalar.value)) {
    throw new YamlError(
      `${where()}${text} is a number that JSON has none of: write a finite number, or '${text}' for text`,
    );
  }
  if (scalar.is !== 'int') return scalar.value;
  const number = Number(scalar.value);
  if (String(number) !== String(scalar.value)) {
    throw new YamlError(
      `${where()}${text} is an integer that can't be kept exactly: write one between -(2^53 - 1) and 2^53 - 1, or '${text}' for text`,
    );
  }
  return number;
}

/** Kubernetes has text for keys: `0400` is "256", and `n` is "false". */
export function keyText(key: unknown, where: () => string): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean' || (typeof key === 'number' && isShort(key))) return String(key);
  const got = typeof key === 'number' ? 'a number of many digits' : JSON.stringify(key);
  throw new YamlError(`${where()}a key must be text (got ${got}): write it in quotes`);
}

/** Whether Go, which cuts the numbers of keys to 32 bits, writes it as it is written here. */
const isShort = (key: number): boolean =>
  Number.isInteger(key) ? Number.isSafeInteger(key) : Number(key.toPrecision(6)) === key && Math.abs(key) >= 1e-4;

function decoded(text: string, where: () => string): string {
  const plain = text.replaceAll(/[\r\n]/g, '');
  if (plain.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(plain)) {
    throw new YamlError(`${where()}!!binary takes text in base64 (got ${JSON.stringify(text)})`);
  }
  return Buffer.from(plain, 'base64').toString('utf8');
}
