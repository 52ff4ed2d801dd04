import { isObject, objectIn, type PlainObject } from '../../schema/json.ts';

/**
 * Where an object has templates of pods: a Deployment, a StatefulSet, a DaemonSet, a Job; a CronJob; a LeaderWorkerSet, whose leaders
 * and workers have one each.
 */
export const POD_TEMPLATES = [
  ['spec', 'template'],
  ['spec', 'jobTemplate', 'spec', 'template'],
  ['spec', 'leaderWorkerTemplate', 'leaderTemplate'],
  ['spec', 'leaderWorkerTemplate', 'workerTemplate'],
] as const;

/** The templates of the pods that an object makes. */
export const podTemplatesIn = (object: PlainObject): readonly PlainObject[] =>
  POD_TEMPLATES.map((path) => path.reduce<unknown>((value, name) => objectIn(value)[name], object))
    .filter(isObject)
    .filter((template) => objectIn(template['spec'])['containers'] !== undefined);
