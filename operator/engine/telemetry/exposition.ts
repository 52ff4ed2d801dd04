import { plainText } from '../../../constructs/parts/values/index.ts';

import { sharedYield } from '../../kube/index.ts';
import type { YieldToEventLoop } from '../../kube/index.ts';
import { familiesOf, figuresOf, statusIn } from '../api/index.ts';
import type { Family, Figures, Sample, Subject, CommonStatus, Resource } from '../api/index.ts';

/** A kind and its resources, as far as metrics go. */
export interface Counted {
  readonly kind: string;
  readonly figures?: Figures | undefined;
  /** Those that there are now. */
  readonly resources: () => Iterable<Resource>;
}

/** So many resources are written at once: a scrape of thousands must not hold up what else continues. */
const BATCH = 100;

/**
 * The metrics of resources in Prometheus' text format, made at each scrape from what the caches hold: it costs nothing
 * while nobody asks, and what is gone is gone from it as well.
 */
export class ResourceMetrics {
  readonly #kinds: readonly (Counted & { readonly families: ReadonlyMap<string, Family> })[];
  /** By name: kinds may share one. */
  readonly #definitions: ReadonlyMap<string, Family>;
  readonly #yieldNow: YieldToEventLoop;

  /**
   * @param prefix - see {@link Identity.metricPrefix}
   * @param yieldNow - A share of its own: Prometheus waits ten seconds, and a start makes thousands of passes.
   */
  constructor(kinds: readonly Counted[], prefix: string, yieldNow: YieldToEventLoop = sharedYield()) {
    this.#yieldNow = yieldNow;
    this.#kinds = kinds.map((counted) => ({
      ...counted,
      families: new Map(familiesOf(figuresOf(counted), prefix).map((family) => [family.name, family])),
    }));
    this.#definitions = new Map(this.#kinds.flatMap(({ families }) => [...families]));
  }

  /** All lines, those of one metric together, as the format wants it. */
  async *text(): AsyncGenerator<string> {
    const known = this.#kinds.map((counted) => ({ families: counted.families, labelled: labelledSubjects(counted) }));
    for (const { name, help } of this.#definitions.values()) {
      yield `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
      for (const { families, labelled } of known) {
        const family = families.get(name);
        if (family !== undefined) yield* linesOf(family, labelled, this.#yieldNow);
      }
    }
  }
}

/** A resource, with the labels that name it as text. */
type Labelled = readonly [labels: string, subject: Subject];

/** Kinds, namespaces and names have nothing in them that would have to be escaped. */
const labelledSubjects = ({ kind, resources, ...counted }: Counted): readonly Labelled[] =>
  Array.from(resources(), (resource) => [
    `kind="${kind}",namespace="${resource.metadata.namespace ?? ''}",name="${resource.metadata.name}"`,
    { resource, status: statusOf(figuresOf(counted), resource) },
  ]);

/** None where the kind can't say: one resource must not keep all others from being told. */
function statusOf(figures: Figures, resource: Resource): CommonStatus {
  try {
    return statusIn(figures, resource);
  } catch {
    return {};
  }
}

async function* linesOf(
  { name, of }: Family,
  labelled: readonly Labelled[],
  yieldNow: YieldToEventLoop,
): AsyncGenerator<string> {
  for (let from = 0; from < labelled.length; from += BATCH) {
    await yieldNow();
    let lines = '';
    for (const [own, subject] of labelled.slice(from, from + BATCH)) lines += linesAbout(name, of, own, subject);
    yield lines;
  }
}

function linesAbout(name: string, of: Family['of'], own: string, subject: Subject): string {
  try {
    return of(subject)
      .map((sample) => `${name}{${own}${labelsOf(sample)}} ${sample.value}\n`)
      .join('');
  } catch {
    // Its status is of another operator, or under an older schema: that must not keep all others from being told.
    return '';
  }
}

const labelsOf = ({ labels = {} }: Sample): string => {
  let text = '';
  for (const [name, value] of Object.entries(labels)) text += `,${name}="${escape(value)}"`;
  return text;
};

/** Longest value of a label, in characters: Prometheus keeps each for as long as its series. */
const LONGEST_LABEL = 256;

const escape = (value: string): string =>
  plainText(value, { lines: true, max: LONGEST_LABEL }).replaceAll(/[\\"\n]/g, (found) =>
    found === '\n' ? '\\n' : `\\${found}`,
  );
