import type { Labels } from './labels.ts';

/**
 * Annotation of a resource: the kind of an earlier operator whose users' names and labels its objects bear, and the name
 * that is in those labels where it is not that of the resource itself: `KIND` or `KIND/NAME`.
 */
export const NAMING_ANNOTATION = 'trunnion.dev/naming';

/** Names and labels that the users of an earlier operator rely on. They are never part of a selector. */
export interface Naming {
  /** Labels of objects and pods, beside those of every workload, which win. */
  readonly labels: Labels;
  /**
   * Name of the Service that clients ask.
   *
   * @default - the name of the resource
   */
  readonly service?: string;
  /**
   * Whether ranks are also found as NAME-master and NAME-worker-0, and bear the roles master and worker. Their pods start
   * once somebody has told them which role is theirs: only the operator does.
   *
   * @default false
   */
  readonly masterAndWorkers?: boolean;
  /**
   * What trials of a search are annotated with, so that their pods are found by the name of the search.
   *
   * @default - trials have names and labels of their own
   */
  readonly ofTrials?: string;
}

/** What the users of each earlier operator rely on, by the kind of its resources. */
export const NAMINGS = {
  ModelDeployment: (name) => ({ labels: { modeldeployment: name } }),
  MLTrainingJob: (name) => ({
    labels: { job: name },
    masterAndWorkers: true,
    ofTrials: `MLTrainingJob/${name}`,
  }),
  AIAgent: (name) => ({ labels: { aiagent: name }, service: `${name}-svc` }),
} as const satisfies Readonly<Record<string, (name: string) => Naming>>;

/** The labels of an object or a pod, with those of the naming. */
export const namedLabels = (labels: Labels, naming: Naming | undefined): Labels => ({ ...naming?.labels, ...labels });
