/** A sample: a name, perhaps labels (whose values may hold anything, escaped), a value, perhaps a time. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?[ \t]+(\S+)/;

/**
 * The sum of the samples of each of some metrics, over all their labels, from Prometheus' text format.
 *
 * @returns by name; without those of which there is no sample
 */
export function sumSamples(text: string, metrics: readonly string[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  const wanted = new Set(metrics);
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = SAMPLE.exec(line) ?? [];
    const number = Number(value);
    if (wanted.has(name) && Number.isFinite(number)) sums.set(name, (sums.get(name) ?? 0) + number);
  }
  return Object.fromEntries(sums);
}
