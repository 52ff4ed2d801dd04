import type { Check, Observed } from '../types.ts';

/** The first minor version of Kubernetes 1 that has all that the CRDs and trainings need. */
const FIRST_MINOR = 31;

/** Whether the API server is new enough. */
export function checkCluster({ serverVersion }: Observed): readonly Check[] {
  const about = 'Kubernetes';
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(serverVersion) ?? [];
  if (Number(major) > 1 || Number(minor) >= FIRST_MINOR) return [{ about, verdict: 'ok', found: serverVersion }];
  const advice = `The rules of the CRDs use CEL's IP library, and elastic trainings the success policy of Jobs, which are on from 1.${FIRST_MINOR}. Upgrade the cluster.`;
  return [{ about, verdict: 'fail', found: serverVersion, advice }];
}
