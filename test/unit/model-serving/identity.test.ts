import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import type { NetworkPolicyEgressRule } from '../../../constructs/parts/objects/kube.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { jobPod } from './support/fetch.ts';
import { render } from './support/render.ts';
import { shared, single } from './support/specs.ts';

const AZURE = 'az://acme.blob.core.windows.net/models/llama';
const LABEL = 'azure.workload.identity/use';

type Identity = NonNullable<NonNullable<ModelServingSpecInput['serviceAccount']>['identity']>;

const known = (of: ModelServingSpecInput, uri: string, identity?: Identity): ModelServingSpecInput => ({
  ...of,
  model: { uri },
  ...(identity && { serviceAccount: { identity } }),
});

/** The addresses of one host that the NetworkPolicies of a spec open, with their ports, by the policy's name. */
const opened = (spec: ModelServingSpecInput): readonly string[] =>
  render(spec).flatMap(({ manifest }) => {
    if (manifest.kind !== 'NetworkPolicy') return [];
    const { egress = [] } = manifest['spec'] as { egress?: readonly NetworkPolicyEgressRule[] };
    return egress.flatMap(({ to = [], ports = [] }) =>
      to.flatMap(({ ipBlock }) =>
        /\/(?:32|128)$/.test(ipBlock?.cidr ?? '')
          ? ports.map(({ port }) => `${manifest.metadata.name} ${ipBlock?.cidr} ${port}`)
          : [],
      ),
    );
  });

describe('an identity', () => {
  test('of EKS Pod Identity opens its agent for the fetch, and for nothing else', () => {
    expect(opened(known(shared, 's3://models/m', 'eks-pod-identity'))).toEqual([
      'llama-fetcher 169.254.170.23/32 80',
      'llama-fetcher fd00:ec2::23/128 80',
    ]);
    expect(opened(known(single, 's3://models/m', 'eks-pod-identity'))).toEqual([
      'llama-fetch 169.254.170.23/32 80',
      'llama-fetch fd00:ec2::23/128 80',
    ]);
  });

  test("of GKE needs no annotation: it opens GKE's metadata server, and has the fetch ask there", () => {
    const spec = known(shared, 'gs://models/m', 'gke-workload-identity');
    expect(opened(spec)).toEqual(['llama-fetcher 169.254.169.254/32 80', 'llama-fetcher 169.254.169.252/32 988']);
    expect(jobPod(spec).spec.containers[0]?.env).toContainEqual({ name: 'TRUNNION_WORKLOAD_IDENTITY', value: 'true' });
  });

  test("of Azure is a label of the pods that fetch, by which Azure's webhook knows them", () => {
    const labelOf = (spec: ModelServingSpecInput) => {
      const [labels] = render(spec).flatMap(({ manifest }) =>
        manifest.kind === 'Deployment'
          ? [
              (manifest['spec'] as { template: { metadata: { labels: Record<string, string> } } }).template.metadata
                .labels,
            ]
          : [],
      );
      return labels?.[LABEL];
    };
    const job = known(shared, AZURE, 'azure-workload-identity');
    expect(jobPod(job).metadata.labels[LABEL]).toBe('true');
    expect(labelOf(job)).toBeUndefined();
    expect(labelOf(known(single, AZURE, 'azure-workload-identity'))).toBe('true');
    expect(labelOf(known(single, AZURE))).toBeUndefined();
    expect(opened(job)).toEqual([]);
  });

  test('that an annotation tells of needs no field', () => {
    const annotations = { 'azure.workload.identity/client-id': '6f1d5e1c-0b1e-4c3c-9d0a-3f6f2b9a7e11' };
    const spec = { ...known(shared, AZURE), serviceAccount: { annotations } };
    expect(jobPod(spec).metadata.labels[LABEL]).toBe('true');
  });

  test('that is not named opens nothing', () => {
    for (const uri of ['s3://models/m', 'gs://models/m', AZURE]) expect(opened(known(shared, uri))).toEqual([]);
  });

  test.each([
    ['gs://models/m', 'eks-pod-identity', 's3://'],
    ['hf://acme/tiny', 'gke-workload-identity', 'gs://'],
    ['s3://models/m', 'azure-workload-identity', 'az://'],
  ] as const)('that the host of %s does not take is refused: %s', (uri, identity, scheme) => {
    const spec = known(shared, uri, identity);
    expect(() => parseSpec(modelServing, { name: 'llama', namespace: 'models', spec })).toThrow(
      `${identity} is for the fetch of ${scheme} alone`,
    );
  });
});
