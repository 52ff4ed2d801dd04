import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Reader } from './conversion.ts';
import { reportConfinement } from './confinement.ts';
import { below, reportedWhole } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { isSame, mainContainer } from './pods.ts';
import { QUEUE_FATES, replicaFates, runPolicyFates, runPolicyOf, trainerOf, TRAINING_KEYS } from './training.ts';

/** Replicas of a job, by the name of their kind; undefined where there are none. */
export type Replicas = Readonly<Record<string, Fields | undefined>>;

/** A job of Kubeflow's training operator whose replicas all run one program. */
export interface ReplicaJob {
  readonly kind: string;
  /** The field with all replicas: `tfReplicaSpecs`. */
  readonly field: string;
  /** The kinds of replicas that are ranks here; the template of the first of which there are any is that of all. */
  readonly roles: readonly string[];
  /** The container that Kubeflow puts its variables into. */
  readonly container: string;
  /** The restart policy of replicas that say none. */
  readonly unspecified: 'Never' | 'OnFailure';
  /** What happens to the fields beside replicas and runPolicy. */
  readonly fates: Fates;
  /** What the framework needs beside: framework, replicas, and what has no field in the source. */
  readonly rest: (fields: Fields, replicas: Replicas, trainer: Fields) => object;
}

/** Says of each kind of replicas but the first there is that it has to be like that one. */
const DIFFERS = 'differs from the template of the other replicas: ranks are all alike here';

/** What happens to a template that is not that of all ranks: it is told as one. */
const UNLIKE: Fates = {
  ...Object.fromEntries(
    Object.keys(replicaFates)
      .filter((path) => path.startsWith('template'))
      .map((path) => [path, reportedWhole(DIFFERS)]),
  ),
  template: reportedWhole(DIFFERS),
};

/** The fates of several roles together. */
const each = (roles: readonly string[], fatesOf: (role: string) => Fates): Fates =>
  Object.fromEntries(roles.flatMap((role) => Object.entries(fatesOf(role))));

/** Reads jobs of one kind. */
export function replicaJob(job: ReplicaJob): Reader {
  const at = (role: string): string => `spec.${job.field}.${role}`;
  const isThere = (fields: Fields, role: string): boolean => fields.peek(at(role)) !== undefined;
  const firstOf = (fields: Fields): string =>
    job.roles.find((role) => isThere(fields, role) && fields.peek(`${at(role)}.replicas`) !== 0) ??
    job.roles.find((role) => isThere(fields, role)) ??
    job.roles[0]!;
  return {
    group: 'kubeflow.org',
    kind: job.kind,
    fates: {
      ...QUEUE_FATES,
      ...each(job.roles, (role) => below(at(role), replicaFates)),
      ...below('spec.runPolicy', runPolicyFates),
      ...job.fates,
    },
    fatesOf: (fields) =>
      each(
        job.roles.filter((role) => role !== firstOf(fields)),
        (role) => below(at(role), UNLIKE),
      ),
    ownKeys: TRAINING_KEYS,
    read(fields) {
      const replicas: Replicas = Object.fromEntries(
        job.roles.map((role) => [role, fields.peek(at(role)) === undefined ? undefined : fields.at(at(role))]),
      );
      const first = fields.at(at(firstOf(fields)));
      for (const other of Object.values(replicas)) {
        if (isSame(other?.peek('template'), first.peek('template')) && !other?.isAt(first)) other?.take('template');
      }
      const container = mainContainer(first.at('template.spec'), job.container);
      reportConfinement(fields);
      return {
        kind: distributedTraining,
        spec: {
          ...trainerOf(first.at('template'), container),
          ...job.rest(fields, replicas, container),
          ...runPolicyOf(fields, fields.at('spec.runPolicy'), Object.values(replicas), { policy: job.unspecified }),
        },
      };
    },
  };
}
