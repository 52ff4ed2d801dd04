import { pagesOf } from '../../operator/engine/observe/index.ts';
import { ApiError, TYPES } from '../../operator/kube/index.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';

/** Nodes tell some 20 kB each, most of it the names of images. */
const PAGE = 250;
/** So many pages are read: 5,000 nodes, the most that Kubernetes is tested with. */
const MOST_PAGES = 20;

/**
 * The nodes of the cluster: undefined where the caller may not list them, or the API server does not tell, or there are
 * more than 5,000. Then the caller gets no answer: of a part of the nodes, nothing can be said of the largest.
 */
export async function nodesOf(client: Pick<KubeClient, 'list'>): Promise<readonly KubeObject[] | undefined> {
  const nodes: KubeObject[] = [];
  let pages = 0;
  try {
    for await (const page of pagesOf(client, TYPES.node, { limit: PAGE })) {
      pages += 1;
      if (pages > MOST_PAGES) return undefined;
      for (const node of page) nodes.push(node);
    }
    return nodes;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** On so many nodes it is looked who holds what: each is a request. */
const MOST_NODES = 20;

/** The pods on some nodes: undefined where the caller may not list them. */
export async function podsOn(
  client: Pick<KubeClient, 'list'>,
  nodes: readonly KubeObject[],
): Promise<readonly KubeObject[] | undefined> {
  const pods: KubeObject[] = [];
  try {
    for (const { metadata } of nodes.slice(0, MOST_NODES)) {
      const { items } = await client.list(TYPES.pod, { fieldSelector: `spec.nodeName=${metadata.name}` });
      for (const pod of items) pods.push(pod);
    }
    return pods;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
