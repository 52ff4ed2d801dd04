import * as z from 'zod';
import { accessMode } from '../parts/weights/schema.ts';
import { boundsInOrder, cpuPercent, replicaBounds, replicas, prometheus } from '../parts/scaling/schema.ts';
import { args, image, env, podFields, baseResources, gpu, gpuProductNeedsGpu, resources } from '../parts/pod/schema.ts';
import { expose } from '../parts/network/schema.ts';
import { httpPath, objectName, port, QUALIFIED_NAME, secretReference } from '../parts/objects/schema.ts';
import { quantity } from '../parts/values/schema.ts';
import { withRules } from '../schema/rules.ts';
import type { Parsed, Written } from '../schema/types.ts';
import { draft, tokenizer, vocabulary } from './companions.schema.ts';
import { engineRules } from './engine.rules.ts';
import { ENGINES, IP_FAMILIES } from './engines.ts';
import { file, files } from './files.schema.ts';
import { hostNotes } from './hosts.ts';
import { autoscalingRules, rolloutRules, specRules, targetsRules } from './rules.ts';
import { uriRules } from './uri.rules.ts';

const model = z.strictObject({
  uri: withRules(z.string().min(1).max(1024), ...uriRules)
    .describe(
      'Where the weights come from: hf://OWNER/MODEL[@REVISION], s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX, https://HOST/FILE, oci://IMAGE or pvc://CLAIM/PATH. huggingface:// is the same as hf://. oci:// with the very image of engine.image mounts nothing: the model is in it.',
    )
    .meta({ hosts: hostNotes.uri }),
  name: withRules(z.string().min(1).max(128), {
    rule: "self.matches('^[A-Za-z0-9][-A-Za-z0-9._/:]*$')",
    message: 'must be letters, digits, "-", ".", "_", "/" and ":", beginning with a letter or digit',
  })
    .describe('The name that clients ask for. Default: the name of the resource.')
    .optional(),
  files: files.optional(),
  file: file.optional(),
  tokenizer: tokenizer.optional(),
  draft: draft.optional(),
  vocabulary: vocabulary.optional(),
  credentials: secretReference
    .describe('A Secret whose keys the fetch gets as environment variables: HF_TOKEN, AWS_ACCESS_KEY_ID and so on.')
    .meta({ hosts: hostNotes.secret })
    .optional(),
});

const storage = z.strictObject({
  size: quantity.describe('Size of the volume that holds the weights of one model, for instance 40Gi.'),
  storageClassName: objectName.describe('Storage class of the volume. Default: that of the cluster.').optional(),
  accessMode: accessMode
    .describe(
      'Who may mount the volume. ReadWriteOnce: one replica, which fetches by itself. ReadWriteMany: a Job fetches once for all replicas. Servers mount it read-only in each case.',
    )
    .default('ReadWriteOnce'),
  retain: z
    .boolean()
    .describe('Whether the volume outlives the resource.')
    .meta({ hosts: hostNotes.retain })
    .default(false),
});

const engine = withRules(
  z.strictObject({
    type: z.enum(ENGINES).describe('The engine that serves the model.'),
    image: image
      .describe(
        'Its image. Default: a release of the engine for what resources asks for, pinned. There is none for custom, for sglang without GPUs, and on GPUs of AMD for others than vllm.',
      )
      .meta({ hosts: hostNotes.image })
      .optional(),
    command: args.min(1).describe("Takes the place of the image's entry point; for custom only.").optional(),
    args: args
      .describe('Arguments beside those that follow from the rest of the spec; $(NAME) stands for a variable.')
      .optional(),
    env: env
      .describe(
        'Environment variables of the engine; they win over spec.env. The fetch gets those by which it reaches the host of the model: proxies, certificates, and what belongs to the scheme of model.uri, for instance HF_TOKEN or AWS_ENDPOINT_URL.',
      )
      .optional(),
    port: port
      .describe(
        'The port that it listens on, as does the Service. Default: 8000; 30000 for sglang, 8080 for tgi, 8501 for tensorflow-serving.',
      )
      .optional(),
    ipFamily: z
      .enum(IP_FAMILIES)
      .describe(
        'The family of the addresses that the engine listens on. IPv6: for clusters whose pods or Services have addresses of IPv6 alone, or first; their nodes must have IPv6. Default: IPv4; tensorflow-serving listens on both. Not for custom, whose command says it.',
      )
      .optional(),
    healthPath: httpPath
      .describe(
        "The HTTP path that answers 200 once the model is loaded. Default: the engine's own; for custom the port must accept connections.",
      )
      .optional(),
  }),
  ...engineRules,
);

const parallelism = z.strictObject({
  tensor: z.int().min(1).max(64).describe('Number of GPUs that each layer is split over.').default(1),
  pipeline: z.int().min(1).max(64).describe('Number of stages that the layers are split into.').default(1),
  data: z
    .int()
    .min(1)
    .max(1024)
    .describe('Number of copies of the model in one replica, each with requests of its own.')
    .default(1),
  expert: z
    .boolean()
    .describe('Whether the experts of a mixture of experts are spread over all GPUs of the replica, each whole on one.')
    .default(false),
});

/** The name of a label of nodes. */
const nodeLabel = withRules(z.string().min(1).max(317), {
  rule: `self.matches('${QUALIFIED_NAME}')`,
  message:
    'must be the name of a label of nodes: [prefix/]name, the name at most 63 letters, digits, "-", "_" and ".", for instance topology.kubernetes.io/zone',
});

const topology = withRules(
  z.strictObject({
    required: nodeLabel
      .describe('The pods of a replica run on nodes with the same value of this label, or not at all.')
      .optional(),
    preferred: nodeLabel
      .describe('The pods of a replica run on nodes with the same value of this label where that is possible.')
      .optional(),
  }),
  {
    rule: 'has(self.required) != has(self.preferred)',
    message: 'must have required or preferred, and not both: give the label of nodes that says how near they are',
  },
);

const milliseconds = z.int().min(1).max(3_600_000);

const targets = withRules(
  z.strictObject({
    ttftMilliseconds: milliseconds
      .describe(
        'Time to the first token, 95th percentile, in milliseconds. Replicas are added only while requests wait, and no more than wait: more than what an idle replica takes, or no number of them reaches it.',
      )
      .optional(),
    itlMilliseconds: milliseconds
      .describe(
        'Time between two tokens, 95th percentile, in milliseconds. Replicas are added only while one works on several requests: more than what a single request takes, or no number of them reaches it.',
      )
      .optional(),
    runningRequests: z
      .int()
      .min(1)
      .max(100_000)
      .describe('Requests that are worked on, on average for each replica.')
      .optional(),
    queueDepth: z.int().min(1).max(100_000).describe('Requests that wait, on average for each replica.').optional(),
    kvCachePercent: z.int().min(1).max(100).describe('Use of the KV cache, on average, in percent.').optional(),
    cpuPercent: cpuPercent.optional(),
  }),
  ...targetsRules,
);

const autoscaling = withRules(
  z.strictObject({
    ...replicaBounds,
    targets: targets.describe('What to hold; where there are several, the one that needs most replicas counts.'),
    prometheus: prometheus.describe('Where metrics are asked for; required by all targets but cpuPercent.').optional(),
  }),
  boundsInOrder,
  ...autoscalingRules,
);

const rollout = withRules(
  z.strictObject({
    maxSurge: z
      .int()
      .min(0)
      .max(1000)
      .describe('How many replicas may be added while rolling. Default: 1; 0 on a ReadWriteOnce volume.')
      .optional(),
    maxUnavailable: z
      .int()
      .min(0)
      .max(1000)
      .describe('How many replicas may be missing while rolling. Default: 0; 1 where maxSurge is 0.')
      .optional(),
  }),
  ...rolloutRules,
);

/** The schema of `spec`. */
export const modelServingSpec = withRules(
  z.strictObject({
    model: model.describe('The model.'),
    storage: storage
      .describe('The volume that holds the weights. Required where they are fetched; refused for pvc:// and oci://.')
      .optional(),
    engine: engine.describe('What serves the model.'),
    parallelism: parallelism
      .describe(
        'How one replica splits the model; tensor times pipeline times data is nodes times resources.gpu. Default: tensor over the GPUs of a node, pipeline over the nodes.',
      )
      .optional(),
    resources: withRules(resources.extend({ gpu }), gpuProductNeedsGpu).describe(
      'What one replica gets; with nodes, what each of its pods gets.',
    ),
    nodes: z
      .int()
      .min(1)
      .max(64)
      .describe(
        'Number of pods that one replica is made of, for a model that no node can hold. Above 1, a LeaderWorkerSet keeps them together; its controller must be installed. Default: 1.',
      )
      .optional(),
    topology: topology.describe('How near to each other the pods of one replica run. For nodes above 1.').optional(),
    replicas: replicas.optional(),
    autoscaling: autoscaling.describe('Scales by itself; never with replicas.').optional(),
    rollout: rollout.describe('How replicas are replaced when the spec changes.').optional(),
    drain: z
      .strictObject({
        timeoutSeconds: z
          .int()
          .min(0)
          .max(3600)
          .describe('Seconds that requests in flight have to end when a replica stops.')
          .meta({ hosts: hostNotes.drain })
          .default(120),
      })
      .describe('How a replica stops.')
      .prefault({}),
    retired: z
      .boolean()
      .describe('Drains it and takes it out of service; false brings it back. For the operator only.')
      .meta({ hosts: hostNotes.retired })
      .default(false),
    successor: objectName
      .describe('The ModelServing of the same namespace that its users should go to. It may be named in advance.')
      .meta({ hosts: hostNotes.successor })
      .optional(),
    expose: expose.describe('How it is reached from outside of the cluster. Default: not at all.').optional(),
    fetcher: z
      .strictObject({
        image: image
          .describe(
            'An image with Node.js 22 or newer, and from 24.14 on behind a proxy. Default: the public Node.js image, pinned.',
          )
          .optional(),
        resources: baseResources
          .describe(
            'What it gets. Default: in the pod of the server what the server has. In a fetch Job at most 4 CPUs and 1Gi, never more than the server, and nothing of what the server says nothing.',
          )
          .optional(),
      })
      .describe('What fetches the weights.')
      .optional(),
    ...podFields,
  }),
  ...specRules,
);

/** What a user writes: what has a default may be left out. */
export type ModelServingSpecInput = Written<z.input<typeof modelServingSpec>>;

/** What `parseSpec` gives: valid, with defaults. */
export type ModelServingSpec = Parsed<z.output<typeof modelServingSpec>>;
