import { similarTo } from '../parts/values/index.ts';

/** What a hint is made of: what a problem says, in the words of the API server, and what was there. */
interface Known {
  readonly message: string;
  readonly got?: string | number | boolean;
}

type Hint = (got: string, message: string) => string | undefined;

/**
 * What to write instead, by what is said and what was there; the first that fits. The API server does not say this, so a
 * message, which has its words, does not either.
 */
const HINTS: readonly (readonly [message: RegExp, hint: Hint])[] = [
  [
    /in body must be of type (?:integer|number): "string"/,
    (got) => (/^-?\d+(?:\.\d+)?$/.test(got) ? `write ${got} without quotes` : undefined),
  ],
  [
    /in body must be of type boolean: "string"/,
    (got) => (/^(?:true|false)$/i.test(got) ? `write ${got.toLowerCase()} without quotes` : undefined),
  ],
  [/in body must be of type string: "(?:integer|number|boolean)"/, (got) => `write "${got}", in quotes`],
  [/in body must be of type array: "string"/, (got) => `write a list, one item for each word: ${listOf(got)}`],
  [/^supported values: /, (got, message) => nearestOf(got, message)],
  [/Kubernetes' notation/, (got) => unitOf(got)],
];

/** What to write instead of what was there, where that can be told. */
export function hintFor({ message, got }: Known): string | undefined {
  if (got === undefined) return undefined;
  const [, hint] = HINTS.find(([words]) => words.test(message)) ?? [];
  return hint?.(String(got), message);
}

const listOf = (text: string): string =>
  `[${text
    .trim()
    .split(/\s+/)
    .slice(0, 4)
    .map((word) => JSON.stringify(word))
    .join(', ')}]`;

function nearestOf(got: string, message: string): string | undefined {
  const allowed = [...message.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name = '']) => name);
  const near = similarTo(got, allowed);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/** People write bytes as GB; Kubernetes leaves out the B. */
function unitOf(got: string): string | undefined {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([KMGTP])(?:i?B|i?b)\s*$/.exec(got) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return `write ${amount}${unit}i for units of 1024, or ${amount}${unit === 'K' ? 'k' : unit} for units of 1000`;
}
