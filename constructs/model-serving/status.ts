import * as z from 'zod';
import type { Parsed } from '../schema/types.ts';
import { conditions, observedGeneration, count, references, time } from '../parts/objects/schema.ts';
import type { ModelServingSpec } from './spec.ts';

/** The phases of a ModelServing; each follows from its conditions. */
export const PHASES = [
  'Pending',
  'Downloading',
  'Deploying',
  'Running',
  'Updating',
  'Draining',
  'Retired',
  'Failed',
] as const;

const bytes = z.int().min(0);
const text = (max: number) => z.string().max(max);

/** The schema of `status`: what the operator reports. */
export const modelServingStatus = z.strictObject({
  phase: z.enum(PHASES).describe('Where it stands, in one word; it follows from the conditions.').optional(),
  observedGeneration: observedGeneration.optional(),
  endpoint: text(1024).describe('Where clients ask, inside the cluster.').optional(),
  replicas: count.describe('Number of pods that serve or are about to.').optional(),
  readyReplicas: count.describe('Number of pods that take requests.').optional(),
  selector: text(1024).describe('Selects the pods that serve, for the scale subresource.').optional(),
  weights: z
    .strictObject({
      uri: text(1024).describe('Where they come from, as the spec says.'),
      revision: text(256).describe('What was fetched, exactly: a commit, a digest.').optional(),
      bytes: bytes.describe('Bytes that are there.').optional(),
      totalBytes: bytes.describe('Bytes in all.').optional(),
      leastSize: text(63)
        .describe('The least that storage.size can be set back to: their volume holds as much.')
        .optional(),
      claimUID: text(64)
        .describe('UID of the claim on whose volume they are complete; absent until they are.')
        .optional(),
    })
    .describe('The weights that are served, or fetched to be served.')
    .optional(),
  engine: z
    .strictObject({
      type: text(63).describe('The engine whose images these are.').optional(),
      image: text(512).describe('The image of the engine.').optional(),
      pinned: z
        .boolean()
        .describe('Whether the image is the default of its day, kept; false where the spec names it.')
        .optional(),
      fetcherImage: text(512)
        .describe('The default image that fetches weights, kept; absent where the spec names it.')
        .optional(),
      isFetcherBuiltIn: z
        .boolean()
        .describe('Whether that image has the fetcher in it; else a ConfigMap brings it.')
        .optional(),
    })
    .describe('Images, pinned when they were first chosen, so that a new operator restarts nothing.')
    .optional(),
  served: z
    .strictObject({
      spec: z
        .custom<ModelServingSpec>()
        .describe('The spec.')
        .meta({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    })
    .describe('The spec whose pods serve: what keeps serving while the weights of a newer one are fetched.')
    .optional(),
  drain: z
    .strictObject({
      startedAt: time.describe('When it began.'),
      withdrawnAt: time.describe('When the Service was seen gone: no new request is sent to the pods.').optional(),
      idleAt: time.describe('When no pod had a request for the first time since; a second look must agree.').optional(),
      endedAt: time.describe('When it was over, and the pods could go.').optional(),
      requestsInFlight: count.describe('Requests that have not ended yet, where the engine tells.').optional(),
      observedAt: time.describe('When requestsInFlight was counted; it is updated every ten seconds.').optional(),
    })
    .describe('How the drain goes.')
    .optional(),
  groups: z
    .array(
      z.strictObject({
        name: text(253).describe('The name of its leader.'),
        pods: count.describe('Pods that it should have.'),
        readyPods: count.describe('Pods that are ready; it answers once all of them are.'),
        leaderUID: text(64).describe('UID of its leader.').optional(),
        revision: text(63).describe('The revision of its template, as its LeaderWorkerSet calls it.').optional(),
        restarts: count.describe('How often it was made again in this revision, since one of its pods failed or went.'),
        failedStarts: count
          .describe('How often in a row it failed before it was ready; absent where it is, or never failed.')
          .optional(),
        lastFailure: z
          .strictObject({
            pod: text(253).describe('The pod that failed first.'),
            rank: count.describe('Its number in the group; 0 is the leader.'),
            node: text(253).describe('The node that it ran on.').optional(),
            exitCode: z.int().describe('The exit code of its container.'),
            reason: text(253).describe("The node's word for it: OOMKilled, Error.").optional(),
            finishedAt: text(64).describe('When its container ended.'),
          })
          .describe('What ended it the last time.')
          .optional(),
      }),
    )
    .max(100)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
    .describe('The replicas that are groups of pods, where spec.nodes is above 1: the first 100 of them.')
    .optional(),
  references: references.optional(),
  conditions: conditions.describe('Accepted, WeightsReady, Available, Progressing, ScalingActive, Ready.').optional(),
});

/** What the operator reports of a ModelServing. */
export type ModelServingStatus = Omit<Parsed<z.output<typeof modelServingStatus>>, 'served'> & {
  readonly served?: { readonly spec: ModelServingSpec };
};
