import type { DistributedTrainingResource } from '../../../operator/kinds/distributed-training/index.ts';
import { drawnSearch } from '../../tuning/search.ts';
import { searchSvg } from '../../tuning/svg.ts';
import type { Reference } from '../query.ts';
import { RequestError } from '../request-error.ts';
import { isSearch, resourceOf } from './detail.ts';
import type { Cluster } from './overview.ts';

/**
 * A search as an image.
 *
 * @throws RequestError where the resource is none
 */
export async function searchOf(cluster: Cluster, reference: Reference): Promise<string> {
  const live = await resourceOf(cluster, reference);
  if (!isSearch(live))
    throw new RequestError(404, `${reference.kind} ${reference.name} is no search: it has no spec.tuning`);
  return searchSvg(drawnSearch(live.resource as unknown as DistributedTrainingResource));
}
