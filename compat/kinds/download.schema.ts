import * as z from 'zod';
import { accessMode } from '../../constructs/parts/weights/schema.ts';
import { text } from './schema.ts';

/** The Secret of the download, of which the earlier operators' users could say nothing. */
const credentials = z
  .strictObject({ secretName: text.describe('Name of a Secret of the same namespace.') })
  .describe('A Secret whose keys the download gets as environment variables: HF_TOKEN, AWS_ACCESS_KEY_ID and so on.');

/**
 * The volume of the weights, of which the earlier operators' users could say nothing. It is shared unless they say
 * otherwise, since they scale in place, and the access mode of a volume can't be changed.
 */
const storage = z
  .strictObject({
    size: text.describe('Size of the volume that holds the weights, for instance 40Gi.').optional(),
    storageClassName: text.describe('Storage class of the volume. Default: that of the cluster.').optional(),
    accessMode: accessMode
      .describe('Who may mount the volume. ReadWriteOnce: one replica, on clusters without shared volumes.')
      .optional(),
  })
  .describe('The volume that holds the weights; it may be left out.');

/** What users of a model that is downloaded may say of its download. */
export const downloaded = {
  credentials: credentials.optional(),
  storage: storage.optional(),
};

/** What users of a model that is downloaded may say of it, beside the model itself. */
export const download = {
  replicas: z.int().min(0).describe('Number of replicas.').default(1),
  ...downloaded,
};
