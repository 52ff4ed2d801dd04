import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import { labelName, objectName } from '../objects/schema.ts';
import { quantity } from '../values/schema.ts';

const atomic = { 'x-kubernetes-list-type': 'atomic' };

const mode = z.int().min(0).max(0o777);

const path = withRules(z.string().min(1).max(512), {
  rule: "!self.startsWith('/') && !self.matches('(^|/)[.][.](/|$)')",
  message: 'must be a relative path without ".."',
}).describe('Path of the file in the volume.');

const items = z
  .array(
    z.strictObject({
      key: z.string().min(1).max(253).describe('The key to write to a file.'),
      path,
      mode: mode.describe('Mode of the file. Default: defaultMode.').optional(),
    }),
  )
  .max(32)
  .describe('Which keys become which files. Default: each key is a file.')
  .meta(atomic)
  .optional();

const optional = z.boolean().describe('Whether the pod may start without it. Default: false.').optional();
const defaultMode = mode.describe('Mode of the files. Default: 420, that is 0644.').optional();

/** At least one: of a source that lost its last one, nothing would be left, and the volume would become an emptyDir. */
const downwardItems = z
  .array(
    z.strictObject({
      path,
      fieldRef: z
        .strictObject({
          fieldPath: z.string().min(1).max(253).describe('Path of the field, for instance metadata.labels.'),
        })
        .describe('A field of the pod.'),
      mode: mode.describe('Mode of the file. Default: defaultMode.').optional(),
    }),
  )
  .min(1)
  .max(16)
  .describe('Which fields become which files.')
  .meta(atomic);

const projectedSource = z.strictObject({
  configMap: z
    .strictObject({ name: objectName.describe('Name of a ConfigMap of the same namespace.'), items, optional })
    .describe('Files from a ConfigMap.')
    .optional(),
  secret: z
    .strictObject({ name: objectName.describe('Name of a Secret of the same namespace.'), items, optional })
    .describe('Files from a Secret.')
    .optional(),
  downwardAPI: z.strictObject({ items: downwardItems }).describe('Files from fields of the pod.').optional(),
});

/** Volumes of a pod that the construct itself makes. */
export const RESERVED_VOLUMES = ['weights', 'home', 'tmp', 'shm', 'fetcher'] as const;

/** The kinds of volumes that the `restricted` Pod Security Standard allows, tokens of the ServiceAccount aside. */
const SOURCES = ['configMap', 'secret', 'emptyDir', 'persistentVolumeClaim', 'projected', 'downwardAPI'] as const;

const volume = withRules(
  z.strictObject({
    name: withRules(labelName, {
      rule: `!(self in [${RESERVED_VOLUMES.map((name) => `'${name}'`).join(', ')}])`,
      message: `is a volume of Trunnion's own, as are ${RESERVED_VOLUMES.join(', ')}: choose another name`,
    }).describe('Name of the volume.'),
    configMap: z
      .strictObject({
        name: objectName.describe('Name of a ConfigMap of the same namespace.'),
        items,
        defaultMode,
        optional,
      })
      .describe('Files from a ConfigMap.')
      .optional(),
    secret: z
      .strictObject({
        secretName: objectName.describe('Name of a Secret of the same namespace.'),
        items,
        defaultMode,
        optional,
      })
      .describe('Files from a Secret.')
      .optional(),
    emptyDir: z
      .strictObject({
        medium: z.enum(['', 'Memory']).describe('Memory keeps it in memory. Default: on disk.').optional(),
        sizeLimit: quantity.describe('The most that it may hold. Default: no limit.').optional(),
      })
      .describe('An empty folder that lives as long as the pod.')
      .optional(),
    persistentVolumeClaim: z
      .strictObject({
        claimName: objectName.describe('Name of a claim of the same namespace.'),
        readOnly: z.boolean().describe('Whether it is mounted read-only. Default: false.').optional(),
      })
      .describe('An existing claim.')
      .optional(),
    projected: z
      .strictObject({
        sources: z.array(projectedSource).min(1).max(16).describe('What is put together.').meta(atomic),
        defaultMode,
      })
      .describe('Several sources in one folder.')
      .optional(),
    downwardAPI: z
      .strictObject({ items: downwardItems, defaultMode })
      .describe('Files from fields of the pod.')
      .optional(),
  }),
  {
    rule: `[${SOURCES.map((source) => `has(self.${source})`).join(', ')}].filter(x, x).size() == 1`,
    message: `exactly one of ${SOURCES.join(', ')} must be given`,
  },
);

/** Volumes of a pod. */
export const volumes = z
  .array(volume)
  .max(16)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });

/** Where a container sees volumes. */
export const volumeMounts = z
  .array(
    z.strictObject({
      name: labelName.describe('Name of the volume.'),
      mountPath: withRules(z.string().min(1).max(512), {
        rule: "self.startsWith('/') && !self.contains(':')",
        message: 'must be an absolute path without ":"',
      }).describe('Where the container sees it.'),
      subPath: withRules(z.string().max(512), {
        rule: "!self.startsWith('/') && !self.matches('(^|/)[.][.](/|$)')",
        message: 'must be a relative path without ".."',
      })
        .describe('The folder or file of the volume to mount. Default: its root.')
        .optional(),
      readOnly: z.boolean().describe('Whether it is mounted read-only. Default: false.').optional(),
    }),
  )
  .max(16)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['mountPath'] });
