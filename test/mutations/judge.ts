import type { JsonObject } from '../../constructs/schema/json.ts';
import { GROUP, VERSION } from '../../constructs/schema/kind.ts';
import { disagreements } from '../cluster/support/crd.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { ApiError } from '../../operator/kube/client/errors.ts';
import { problemsOf } from './chains.ts';
import type { Subject } from './subjects/subject.ts';

/** What happens to a spec at admission. */
export interface Judgement {
  readonly accepted: boolean;
  /** Where the API server and parseSpec differ. */
  readonly failures: readonly string[];
}

/** Where the resources of a kind are in a namespace. */
export const pathOf = ({ kind }: Subject, namespace: string): string =>
  `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/${kind.plural}`;

/** A resource of a kind. */
export const resourceOf = ({ kind }: Subject, namespace: string, name: string, spec: JsonObject): object => ({
  apiVersion: `${GROUP}/${VERSION}`,
  kind: kind.kind,
  metadata: { name, namespace },
  spec,
});

/** Holds what parseSpec says of a new resource against what the API server says, which keeps nothing of it. */
export async function judge(admin: KubeClient, subject: Subject, spec: JsonObject): Promise<Judgement> {
  const body = resourceOf(subject, 'default', 'mutated', spec);
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  return compare(subject, admin.raw('POST', pathOf(subject, 'default'), { query, body }), spec);
}

/**
 * Holds what parseSpec says against the answer of the API server.
 *
 * @param old - the spec before the change, for a resource that exists
 */
export async function compare(
  subject: Subject,
  answer: Promise<unknown>,
  spec: JsonObject,
  old?: JsonObject,
): Promise<Judgement> {
  const problems = problemsOf(subject, spec, old);
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 422 && error.status !== 400)) throw error;
    const failures =
      problems.length === 0
        ? [`parseSpec accepts what the API server refuses: ${error.message}`]
        : disagreements(problems, error);
    return { accepted: false, failures };
  }
  if (problems.length === 0) return { accepted: true, failures: [] };
  const reported = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return { accepted: true, failures: [`the API server accepts what parseSpec refuses: ${reported}`] };
}
