import * as z from 'zod';
import { args, image, podFields, gpu, gpuProductNeedsGpu, resources } from '../parts/pod/schema.ts';
import { objectName, secretReference } from '../parts/objects/schema.ts';
import { withRules } from '../schema/rules.ts';
import type { Parsed, Written } from '../schema/types.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { hostNotes } from './hosts.ts';
import { checkpointRules, elasticRules, hyperparameterRules, specRules } from './rules.ts';
import { objective, tuning } from './tuning.schema.ts';

const ranks = z.int().min(1).max(1000);
const seconds = z.int().min(1).max(31_536_000);

const checkpoint = z.strictObject({
  uri: withRules(z.string().min(1).max(1024), ...checkpointRules).describe(
    'Where checkpoints are kept: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or pvc://CLAIM/PATH, a claim that all nodes may mount. Ranks get it as CHECKPOINT_ROOT, and the folder of their own attempt as CHECKPOINT_URI: write there, and resume from the newest of all folders.',
  ),
  credentials: secretReference
    .describe(
      'A Secret whose keys AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION and AWS_ENDPOINT_URL become variables for s3://, and whose key key.json is mounted as a file for gs://.',
    )
    .meta({ hosts: hostNotes.secret })
    .optional(),
  graceSeconds: z
    .int()
    .min(1)
    .max(3600)
    .describe('Seconds from the stop signal to the kill, in which a rank may save a checkpoint.')
    .default(30),
});

const retry = z.strictObject({
  limit: z
    .int()
    .min(0)
    .max(100)
    .describe(
      'How many failures of the program are followed by another attempt. Preempted, drained and lost pods are not counted.',
    )
    .meta({ hosts: hostNotes.retryLimit })
    .default(6),
  backoffSeconds: z
    .int()
    .min(1)
    .max(3600)
    .describe('Seconds until the next attempt; doubled by each attempt in a row that lasted less than ten minutes.')
    .meta({ hosts: hostNotes.backoff })
    .default(10),
  maxBackoffSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .describe('The most seconds until the next attempt.')
    .meta({ hosts: hostNotes.backoff })
    .default(600),
});

const elastic = withRules(
  z.strictObject({
    minReplicas: ranks.describe('The fewest pods that it continues with.'),
    maxReplicas: ranks.describe('The most pods that it may have.'),
  }),
  ...elasticRules,
);

const hyperparameters = withRules(
  z.record(z.string(), z.string().max(4096).describe('The value.')).meta({ maxProperties: 64 }),
  ...hyperparameterRules,
);

/** The schema of `spec`. */
export const distributedTrainingSpec = withRules(
  z.strictObject({
    framework: z
      .enum(FRAMEWORKS)
      .describe('What the program is written in: it decides the roles of pods and how they find each other.'),
    image: image.describe('The image of all ranks.'),
    command: args
      .min(1)
      .describe("Takes the place of the image's entry point; $(NAME) stands for a variable. For mpi the launcher's.")
      .optional(),
    args: args.describe('Arguments of the command; $(NAME) stands for a variable.').optional(),
    replicas: ranks
      .describe(
        'Number of workers. For pytorch and jax these are all pods, and the first is the master; for mpi, tensorflow and mxnet the launcher, the chief, the scheduler and servers are apart.',
      )
      .meta({ hosts: hostNotes.replicas })
      .default(1),
    resources: withRules(resources.extend({ gpu: gpu.default(0) }), gpuProductNeedsGpu)
      .describe('What one pod gets. GPUs are for workers and the chief alone.')
      .prefault({}),
    procsPerNode: z
      .int()
      .min(1)
      .max(64)
      .describe(
        'Processes of one pod: WORLD_SIZE is replicas times procsPerNode, and process p of a pod has rank RANK times procsPerNode plus p. Default: its GPUs, at least 1.',
      )
      .optional(),
    hyperparameters: hyperparameters
      .describe('Variables of all ranks, by name. Values are taken as they are: $(NAME) in one is no variable.')
      .optional(),
    checkpoint: checkpoint.describe('Where checkpoints are kept. Default: nowhere.').optional(),
    retry: retry.describe('How often and when it starts again after a failure.').prefault({}),
    elastic: elastic
      .describe(
        'Lets it continue with fewer pods and with more, by torchrun: for pytorch only. Changing replicas within the bounds starts no new attempt.',
      )
      .optional(),
    queue: objectName
      .describe("The LocalQueue of Kueue that admits it; with gang.scheduler volcano, the queue of Volcano's.")
      .optional(),
    gang: z
      .strictObject({
        scheduler: z.enum(['kueue', 'volcano']).describe('What starts all pods together or none.'),
      })
      .describe('Starts all pods together or none. Default: each as soon as there is a place for it.')
      .optional(),
    suspend: z.boolean().describe('Stops all pods, or does not start them, until it is false.').default(false),
    activeDeadlineSeconds: seconds
      .describe('Seconds that it may take in all, counted from its last resume. Default: no limit.')
      .meta({ hosts: hostNotes.deadline })
      .optional(),
    ttlSecondsAfterFinished: z
      .int()
      .min(0)
      .max(31_536_000)
      .describe('Seconds after its end until the resource is deleted, with all that it is made of. Default: never.')
      .meta({ hosts: hostNotes.ttl })
      .optional(),
    spot: z
      .boolean()
      .describe(
        'Whether it may run on spot nodes, whose usual taints are then tolerated. It gets no PodDisruptionBudget, which would keep a node that is being removed from stopping pods in time: see checkpoint.graceSeconds.',
      )
      .default(false),
    tensorflow: z
      .strictObject({
        chief: z
          .boolean()
          .describe('Whether a chief stands apart; without one, the first worker is the chief. Default: true.')
          .optional(),
        parameterServers: z.int().min(0).max(100).describe('Number of parameter servers.').default(0),
      })
      .describe('For tensorflow only.')
      .optional(),
    mxnet: z
      .strictObject({
        servers: z
          .int()
          .min(0)
          .max(100)
          .describe(
            'Number of servers. 0: workers alone, which find each other by other means than a scheduler, such as Horovod.',
          )
          .default(1),
      })
      .describe('For mxnet only.')
      .optional(),
    mpi: z
      .strictObject({
        sshSecretName: objectName
          .describe(
            'A Secret of the same namespace with the keys ssh-privatekey and ssh-publickey, with which the launcher reaches the workers.',
          )
          .meta({ hosts: hostNotes.sshSecret })
          .optional(),
      })
      .describe('For mpi only.')
      .optional(),
    objective: objective
      .describe('What the program reports as its result, told in status.objective. Default: nothing.')
      .meta({ hosts: hostNotes.objective })
      .optional(),
    tuning: tuning
      .describe(
        'Searches for the parameters with the best result. Each trial is a training of its own, described by the rest of the spec; suspend and ttlSecondsAfterFinished are about the search.',
      )
      .meta({ hosts: hostNotes.tuning })
      .optional(),
    ...podFields,
  }),
  ...specRules,
);

/** What a user writes: what has a default may be left out. */
export type DistributedTrainingSpecInput = Written<z.input<typeof distributedTrainingSpec>>;

/** What `parseSpec` gives: valid, with defaults. */
export type DistributedTrainingSpec = Parsed<z.output<typeof distributedTrainingSpec>>;
