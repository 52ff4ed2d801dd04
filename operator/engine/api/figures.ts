import type { CommonStatus, Resource } from './resource.ts';

/** The labels of a figure beside those that name its resource, each with all of its values: so there is no end of none. */
export type LabelValues = Readonly<Record<string, readonly string[]>>;

/** A value, with the labels that its figure has beside those that name the resource. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Definition {
  /** With the unit at its end. */
  readonly name: string;
  /** One sentence: what it says. */
  readonly help: string;
  /** @default - none */
  readonly labels?: LabelValues;
}

/** What a status says, as numbers: read again at each scrape, so that nothing of a deleted resource stays. */
export interface Gauge<Status extends CommonStatus = CommonStatus> extends Definition {
  of(status: Status): readonly Sample[];
}

/** What has happened between two statuses, to be added up: what is seen too seldom, or not for long, to be a gauge. */
export interface Counter<Status extends CommonStatus = CommonStatus> extends Definition {
  of(before: Status, after: Status): readonly Sample[];
}

/** What a kind has for metrics. All of it is pure. */
export interface Figures<R extends Resource = Resource> {
  /** Every phase that a status may have, with what it means, as a sentence. */
  readonly phases: Readonly<Record<string, string>>;
  readonly gauges: readonly Gauge<NonNullable<R['status']>>[];
  readonly counters: readonly Counter<NonNullable<R['status']>>[];
  /**
   * The status that all of this is about.
   *
   * @default - the resource's own
   */
  statusOf?(resource: R): NonNullable<R['status']> | undefined;
}

/** The figures of a kind. */
export const figuresOf = ({ figures = NONE }: { readonly figures?: Figures | undefined }): Figures => figures;

const NONE: Figures = { phases: {}, gauges: [], counters: [] };

/** The status of a resource that its figures are about. */
export const statusIn = (figures: Figures, resource: Resource): CommonStatus =>
  (figures.statusOf ? figures.statusOf(resource) : resource.status) ?? {};

/** What there is to tell of one resource. */
export interface Subject {
  readonly resource: Resource;
  readonly status: CommonStatus;
}

/** All samples of one name, of the resources of one kind. */
export interface Family extends Required<Definition> {
  readonly of: (subject: Subject) => readonly Sample[];
}

/** What every kind has: where its resources stand. */
function commonFamilies(phases: readonly string[], prefix: string): readonly Family[] {
  return [
    {
      name: `${prefix}_resource_phase`,
      help: 'Whether the resource is in the phase: 1 for one of them, 0 for all others.',
      labels: { phase: phases },
      of: ({ status }) => phases.map((phase) => ({ labels: { phase }, value: Number(status.phase === phase) })),
    },
    {
      name: `${prefix}_resource_condition`,
      help: 'Whether the condition is True: 1 where it is, 0 where it is False or Unknown.',
      labels: { condition: ['the type of the condition'] },
      of: ({ status: { conditions = [] } }) =>
        conditions.map(({ type, status }) => ({ labels: { condition: type }, value: Number(status === 'True') })),
    },
    {
      name: `${prefix}_resource_unobserved_generations`,
      help: 'How many changes of the spec the status does not report yet.',
      labels: {},
      of: ({ resource: { metadata }, status: { observedGeneration = 0 } }) => [
        { value: Math.max(0, (metadata.generation ?? 0) - observedGeneration) },
      ],
    },
  ];
}

/**
 * All families of a kind.
 *
 * @param prefix - what the names of those that all kinds have begin with
 */
export const familiesOf = ({ phases, gauges }: Figures, prefix: string): readonly Family[] => [
  ...commonFamilies(Object.keys(phases), prefix),
  ...gauges.map((gauge) => ({
    name: gauge.name,
    help: gauge.help,
    labels: gauge.labels ?? {},
    of: ({ status }: Subject) => gauge.of(status),
  })),
];
