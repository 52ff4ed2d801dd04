import * as z from 'zod';
import { conditions, observedGeneration } from '../../../../constructs/parts/objects/schema.ts';
import { AGE_COLUMN } from '../../../../constructs/schema/columns.ts';
import { defineSchema } from '../../../../constructs/schema/kind.ts';

const COMMON = {
  group: 'acme.dev',
  shortNames: [],
  description: '',
  status: z.strictObject({ url: z.string().optional(), observedGeneration, conditions }),
  rules: [],
  staticRules: [],
} as const;

/** A web app whose image was a name and a tag once, and whose port was one of a Service. */
export const webApp = defineSchema({
  ...COMMON,
  kind: 'WebApp',
  plural: 'webapps',
  version: 'v1',
  spec: z.strictObject({
    image: z.string(),
    replicas: z.int().min(0).default(1),
    port: z.int().optional(),
    env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  }),
  scalable: true,
  rules: [{ rule: "self.metadata.name != 'none'", message: 'must not be none' }],
  columns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image', description: 'What runs.' },
    { name: 'URL', type: 'string', jsonPath: '.status.url', description: 'Where it is.' },
    AGE_COLUMN,
  ],
  versions: [
    {
      name: 'v1beta1',
      deprecated: 'acme.dev/v1beta1 WebApp is deprecated; use acme.dev/v1',
      spec: z.strictObject({
        repository: z.string(),
        tag: z.string().optional(),
        replicas: z.int().min(0).default(1),
        service: z.strictObject({ port: z.int() }).optional(),
        env: z.record(z.string(), z.string()).optional(),
      }),
      toStored: ({ repository, tag, replicas, service, env }) => ({
        ...(repository !== undefined && { image: tag === undefined ? repository : `${repository}:${tag}` }),
        replicas,
        port: service?.port,
        ...(env !== undefined && { env: Object.entries(env).map(([name, value]) => ({ name, value: value ?? '' })) }),
      }),
      fromStored: ({ image, replicas, port, env }) => {
        const [repository, tag] = image?.split(':') ?? [];
        return {
          repository,
          tag,
          replicas,
          ...(port !== undefined && { service: { port } }),
          ...(env !== undefined && { env: Object.fromEntries(env.map(({ name = '', value = '' }) => [name, value])) }),
        };
      },
    },
    { name: 'v1alpha1', served: false },
  ],
});

/** A kind of one version. */
export const plain = defineSchema({
  ...COMMON,
  kind: 'Plain',
  plural: 'plains',
  version: 'v1',
  scope: 'Cluster',
  categories: ['acme'],
  labels: { team: 'web' },
  spec: z.strictObject({ text: z.string() }),
  columns: [],
});
