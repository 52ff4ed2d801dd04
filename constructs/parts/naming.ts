import type { Labels } from './labels.ts';

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
}

/** What the users of each earlier operator rely on, by the kind of its resources. */
export const NAMINGS = {
  ModelDeployment: (name) => ({ labels: { modeldeployment: name } }),
  MLTrainingJob: (name) => ({ labels: { job: name }, masterAndWorkers: true }),
  AIAgent: (name) => ({ labels: { aiagent: name }, service: `${name}-svc` }),
} as const satisfies Readonly<Record<string, (name: string) => Naming>>;

/** The labels of an object or a pod, with those of the naming. */
export const namedLabels = (labels: Labels, naming: Naming | undefined): Labels => ({ ...naming?.labels, ...labels });
