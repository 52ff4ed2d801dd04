/** A number as programs print it, or what they print where there is none. */
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[nN][aA][nN]|[iI]nf(?:inity)?)(?![\w.])`;

/**
 * The values that a program reports of a metric, in the order of its lines: `val_accuracy=0.93`, `val_accuracy: 0.93`, or
 * a line that is a JSON object with the key. NaN where it is no finite number.
 */
export function reportedIn(text: string, metric: string): readonly number[] {
  const name = metric.replaceAll(/[.\-/]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\w.\-/@])${name}\s*[=:]\s*(${NUMBER})`, 'g');
  return text.split(/[\r\n]+/).flatMap((line) => {
    if (!line.includes(metric)) return [];
    const object = jsonOf(line);
    if (object === undefined) return [...line.matchAll(pattern)].map(([, value]) => finite(value));
    return Object.hasOwn(object, metric) ? [finite(object[metric])] : [];
  });
}

/** The value that counts; undefined where none was reported, or what was is no number. */
export function valueIn(
  text: string,
  { metric, goal, take }: { readonly metric: string; readonly goal: string; readonly take: 'last' | 'best' },
): number | undefined {
  const values = reportedIn(text, metric);
  if (take === 'last') return Number.isNaN(values.at(-1)) ? undefined : values.at(-1);
  const numbers = values.filter((value) => !Number.isNaN(value));
  if (numbers.length === 0) return undefined;
  return goal === 'maximize' ? Math.max(...numbers) : Math.min(...numbers);
}

function finite(value: unknown): number {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : Number.NaN;
}

/** Python writes NaN and Infinity into JSON, which are none of its values. */
function jsonOf(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line.replaceAll(/:\s*(NaN|-?Infinity)\b/g, ': null')) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
