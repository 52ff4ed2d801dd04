import { podRestarts, servingRestarts } from '../parts/objects/index.ts';
import { keepsPods, restarts, type RestartTable } from '../schema/restarts.ts';

/** Whether a change of a field restarts the pods that serve. */
export const modelServingRestarts: RestartTable = {
  'spec.model': restarts('Another model, or another name for it, is loaded by new pods.'),
  'spec.model.credentials': restarts(
    'Only on a ReadWriteOnce volume, where the pods that serve fetch by themselves: the Secret is part of them. Else a new Job fetches, and they run on.',
  ),
  'spec.storage': keepsPods('Changes the claim: a volume grows while it is in use.'),
  'spec.storage.accessMode': restarts('Says how the pods mount the volume, and who fetches: a Job, or they.'),
  'spec.engine': restarts('Image, command, environment, ports and probes of the server are part of its pod.'),
  'spec.parallelism': restarts("Part of the server's command."),
  'spec.nodes': restarts('Says how many pods a replica has, and so what runs in each.'),
  'spec.topology': restarts('Part of the pods: it says which nodes can take them.'),
  'spec.rollout': keepsPods('Says how later changes are rolled out.'),
  'spec.retired': keepsPods('Stops the pods, drained, or brings them back; none is restarted.'),
  'spec.successor': keepsPods('Told in the conditions alone.'),
  'spec.fetcher': restarts('The image of a container of the pod, which fetches the weights or waits for them.'),
  ...servingRestarts,
  ...podRestarts,
};
