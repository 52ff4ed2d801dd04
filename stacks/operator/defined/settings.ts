import * as z from 'zod';
import type { Parsed } from '../../../constructs/schema/types.ts';
import { settingsSchema } from '../settings.ts';

const { image, logLevel, env, replicas, watchNamespace, nodeSelector, tolerations, affinity, ...rest } =
  settingsSchema.shape;
const { priorityClassName, podAnnotations, podDisruptionBudget, crds } = rest;

const amount = z.string().regex(/^([0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi)?)?$/);

const resources = z
  .strictObject({
    requests: z
      .strictObject({
        cpu: amount.describe('Enough to renew the lease in time on a full node.').default('100m'),
        memory: amount.describe('What it takes with some hundred resources.').default('150Mi'),
      })
      .describe('What is set aside.')
      .prefault({}),
    limits: z
      .strictObject({
        cpu: amount.describe('Empty: none, since an operator that is throttled loses its lease.').default(''),
        memory: amount.describe('Raise it where there are thousands of resources.').default('512Mi'),
      })
      .describe('What is never exceeded.')
      .prefault({}),
  })
  .describe('What each pod gets.')
  .prefault({});

/**
 * How an operator is installed that runs kinds of its own: the values of its chart.
 *
 * @param repository - where its image is, without a tag
 */
export const definedSettings = (repository: string) =>
  z.strictObject({
    image: image
      .unwrap()
      .extend({ repository: z.string().min(1).max(253).describe('Where the image is.').default(repository) })
      .describe('The operator.')
      .prefault({}),
    replicas,
    watchNamespace,
    userRoles: z
      .strictObject({
        enabled: z
          .boolean()
          .describe(
            "Whether the built-in roles `view`, `edit` and `admin` of the cluster have the operator's kinds as well. Never where it works in one namespace.",
          )
          .default(true),
      })
      .describe('ClusterRoles for users.')
      .prefault({}),
    logLevel,
    env,
    resources,
    nodeSelector,
    tolerations,
    affinity,
    priorityClassName,
    podAnnotations,
    podDisruptionBudget,
    crds,
  });

/** How an operator is installed that runs kinds of its own, whole. */
export type DefinedSettings = Parsed<z.output<ReturnType<typeof definedSettings>>>;
