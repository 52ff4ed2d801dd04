import { isQueued } from '../../../../constructs/distributed-training/gang.ts';
import type { RoleName } from '../../../../constructs/distributed-training/roles.ts';
import { jobState } from '../../shared/slices.ts';
import { goesOn } from '../context.ts';
import type { TrainingStep } from '../context.ts';
import type { Observed } from '../observed.ts';

/** Enters and leaves the queue, as its user resumes and suspends it: by Jobs that are created again. */
export const queue: TrainingStep = (context) => (goesOn(context) ? { replace: jobsToReplace(context.observed) } : {});

/**
 * In a queue, no Job is suspended or resumed in place. Kueue starts any that is suspended, so one that its user suspends
 * leaves the queue; and to resume that would be left to Kueue, though it may not be there. It has no pods in either case.
 */
const jobsToReplace = ({ spec, jobs, ranks }: Observed): readonly RoleName[] =>
  !isQueued(spec) || ranks.length > 0
    ? []
    : [...jobs].flatMap(([role, job]) => {
        const isOursToResume = job.owns.includes('spec.suspend');
        return isOursToResume === spec.suspend || jobState(job).ending ? [] : [role];
      });
