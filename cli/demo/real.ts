import { missingNodeTools, missingForNode } from '../../cluster/index.ts';

/** What a real model comes from: the images of its server and its fetcher, and its weights. */
const HOSTS = ['https://registry-1.docker.io/v2/', 'https://huggingface.co/'];

/** A host that is there answers within this, in milliseconds. Without a network nobody waits longer. */
const ANSWER_MILLISECONDS = 3_000;

/**
 * What is missing for a model that runs for real on a node of this machine; undefined where it can.
 *
 * @param options - `builds`: whether the node's programs may be built first, which takes minutes
 */
export async function missingForReal({ builds }: { readonly builds: boolean }): Promise<string | undefined> {
  const missing = missingForNode();
  if (missing !== undefined) return missing;
  if (!builds && missingNodeTools())
    return 'trunnion demo --real builds the programs of a real node first, in about 8 minutes';
  const answers = await Promise.all(HOSTS.map(isReached));
  const silent = HOSTS.filter((_, index) => !answers[index]).map((url) => new URL(url).host);
  return silent.length === 0 ? undefined : `the network must reach ${silent.join(' and ')}`;
}

/** Any answer will do: a registry asks for a login first. */
async function isReached(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
  return fetch(url, { method: 'HEAD', redirect: 'manual', signal }).then(
    () => true,
    () => false,
  );
}
