import * as z from 'zod';
import { conditions, count, observedGeneration, time } from '../parts/objects/schema.ts';
import type { Parsed } from '../schema/types.ts';
import { MOST_TRIALS } from './limits.ts';

/** The phases of a DistributedTraining; each follows from its conditions. */
export const PHASES = ['Pending', 'Queued', 'Running', 'Restarting', 'Suspended', 'Completed', 'Failed'] as const;

/** How many ranks and how many attempts a status tells of at the most. */
export const MOST_REPORTED = 32;

const text = (max: number) => z.string().max(max);
const atomic = { 'x-kubernetes-list-type': 'atomic' };
const role = text(63).describe('Its role, where the framework has more than one.');
const rank = z.int().min(0).describe('Its rank among the pods of its role.');

const worker = z.strictObject({
  rank,
  role: role.optional(),
  pod: text(253).describe('Its pod.'),
  node: text(253).describe('The node that it runs on.').optional(),
  phase: text(63).describe('The phase of the pod; Terminating while it is being stopped.'),
  exitCode: z.int().describe('The exit code, once it has ended.').optional(),
});

const attempt = z.strictObject({
  number: z.int().min(1).describe('Its number; the first is 1.'),
  reason: text(63).describe('Why it ended, in one word.'),
  role: role.optional(),
  rank: rank.optional(),
  node: text(253).describe('The node of the rank that ended it.').optional(),
  exitCode: z.int().describe('The exit code of the rank that ended it.').optional(),
  message: text(512).describe('The last words of the rank that ended it, or what happened to it.').optional(),
  charged: count.describe('How much of retry.limit it took: 0 where it was not the program that failed.'),
  startedAt: time.describe('When its first pod was made.').optional(),
  finishedAt: time.describe('When it ended.'),
});

const disruption = z.strictObject({
  rank,
  node: text(253).describe('The node that it was on.').optional(),
  reason: text(63).describe('Why, in one word.'),
  message: text(256).describe('What happened to it.'),
  time: time.describe('When it was seen.'),
});

const reported = z.strictObject({
  metric: text(128).describe('Its name.'),
  value: z.number().describe('Its value.'),
  line: text(256).describe('The line that it was read from, or the part of it around the name.').optional(),
});

const assignments = z
  .record(z.string(), z.string().max(128).describe('The value.'))
  .meta({ maxProperties: 16 })
  .describe('The values of its parameters.');

const trial = z.strictObject({
  number: z.int().min(1).describe('Its number; the training NAME-NUMBER is it.'),
  phase: z.enum(PHASES).describe('Where it stands, as that training tells.'),
  value: z.number().describe('What came of it.').optional(),
  line: text(256).describe('The line that the value was read from, or the part of it around the name.').optional(),
  reason: text(63).describe('Why there is no value though it has ended, in one word.').optional(),
  message: text(256).describe('Why, in a sentence.').optional(),
  startTime: time.describe('When it started.').optional(),
  completionTime: time.describe('When it ended.').optional(),
  assignments,
});

const tuning = z.strictObject({
  best: z
    .strictObject({
      trial: z.int().min(1).describe('Its number.'),
      value: z.number().describe('What came of it.'),
      assignments,
    })
    .describe('The best trial so far.')
    .optional(),
  running: count.describe('Number of trials that have been started and have not ended.'),
  succeeded: count.describe('Number of trials with a value.'),
  failed: count.describe('Number of trials that ended without one.'),
  suggestion: z
    .strictObject({
      failures: count.describe('How many times in a row.'),
      message: text(512).describe('Why, the last time.'),
      nextAttemptAt: time.describe('Before then it is not tried again.'),
    })
    .describe('That the next trial could not be chosen; absent where it could.')
    .optional(),
  trials: z
    .array(trial.describe('A trial.'))
    .max(MOST_TRIALS)
    .describe('A line a trial, in the order in which they were chosen.')
    .meta(atomic),
});

/** The schema of `status`: what the operator reports. */
export const distributedTrainingStatus = z.strictObject({
  phase: z.enum(PHASES).describe('Where it stands, in one word; it follows from the conditions.').optional(),
  observedGeneration: observedGeneration.optional(),
  startTime: time.describe('When it first started.').optional(),
  completionTime: time.describe('When it ended, well or not.').optional(),
  replicas: count.describe('Number of pods that there are.').optional(),
  readyReplicas: count.describe('Number of pods that run, or have succeeded.').optional(),
  selector: text(1024).describe('Selects the workers, for the scale subresource.').optional(),
  attempt: z.int().min(1).describe('The number of the present attempt, or of the one that comes next.').optional(),
  failures: count.describe('How much of retry.limit is used up.').optional(),
  resumedAt: time.describe('From when on activeDeadlineSeconds is counted.').optional(),
  nextAttemptAt: time.describe('Before then the next attempt does not start.').optional(),
  workerStatuses: z
    .array(worker.describe('A rank.'))
    .max(MOST_REPORTED)
    .describe('The ranks of the present attempt, failed and slow ones first; 32 of them at the most.')
    .meta(atomic)
    .optional(),
  attempts: z
    .array(attempt.describe('An attempt.'))
    .max(MOST_REPORTED)
    .describe('The attempts that have ended, oldest first; the last 32 of them.')
    .meta(atomic)
    .optional(),
  lastDisruption: disruption
    .describe(
      'The rank of the present attempt that was removed last, where elastic lets the others continue. What fails for lack of it, within a quarter of an hour, is not charged.',
    )
    .optional(),
  objective: reported.describe('What the program reported as its result.').optional(),
  tuning: tuning.describe('How the search is doing.').optional(),
  conditions: conditions.describe('Accepted, Running, Restarting, Suspended, Complete, Failed.').optional(),
});

/** What the operator reports of a DistributedTraining. */
export type DistributedTrainingStatus = Parsed<z.output<typeof distributedTrainingStatus>>;
