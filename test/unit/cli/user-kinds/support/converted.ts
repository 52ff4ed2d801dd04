import * as z from 'zod';
import { defineKind } from '../../../../../operator/runtime/index.ts';

/** A kind with an older version of another spec. */
export const Site = defineKind({
  group: 'acme.dev',
  version: 'v1',
  kind: 'Site',
  description: 'A site.',
  spec: z.strictObject({ host: z.string().max(253).describe('Its name.') }),
  versions: [
    {
      name: 'v1beta1',
      spec: z.strictObject({ domain: z.string().max(253).describe('Its name.') }),
      toStored: ({ domain }) => (domain === undefined ? {} : { host: domain }),
      fromStored: ({ host }) => (host === undefined ? {} : { domain: host }),
    },
  ],
  children: [],
  construct: () => undefined,
});

export const operator = { name: 'acme-operator' };
