import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { isWithin } from '../../../constructs/parts/cidr.ts';
import type { NetworkPolicyEgressRule } from '../../../constructs/parts/kube.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { render } from '../model-serving/support/render.ts';
import { shared, single, SPECS } from '../model-serving/support/specs.ts';

/** Where clouds serve a node's credentials. */
const METADATA = ['169.254.169.254/32', 'fd00:ec2::254/128', 'fe80::a9fe:a9fe/128'];

const rulesOf = (spec: ModelServingSpecInput): readonly NetworkPolicyEgressRule[] =>
  render(spec)
    .filter(({ manifest }) => manifest.kind === 'NetworkPolicy')
    .flatMap(({ manifest }) => (manifest['spec'] as { egress: readonly NetworkPolicyEgressRule[] }).egress);

const isOpen = (rule: NetworkPolicyEgressRule, address: string): boolean =>
  (rule.to ?? [{ ipBlock: { cidr: address } }]).some(
    ({ ipBlock }) =>
      ipBlock !== undefined &&
      isWithin(address, ipBlock.cidr) &&
      !(ipBlock.except ?? []).some((range) => isWithin(address, range)),
  );

const isDns = ({ to, ports = [] }: NetworkPolicyEgressRule): boolean =>
  to === undefined && ports.length > 0 && ports.every(({ port }) => port === 53 || port === 5353);

const opened = (spec: ModelServingSpecInput): readonly string[] =>
  METADATA.filter((address) => rulesOf(spec).some((rule) => !isDns(rule) && isOpen(rule, address)));

describe("a cloud's metadata service", () => {
  test('is out of reach for every pod that does not name it', () => {
    fc.assert(
      fc.property(modelServingArbitrary, (spec) => {
        expect(opened({ ...spec, egress: [...(spec.egress ?? []), { cidr: '0.0.0.0/0' }, { cidr: '::/0' }] })).toEqual(
          [],
        );
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['0.0.0.0/0', undefined],
    ['160.0.0.0/4', undefined],
    ['fc00::/7', undefined],
    ['10.0.0.0/8', undefined],
    ['169.254.169.254/32', '169.254.169.254/32'],
    ['169.254.0.0/16', '169.254.169.254/32'],
    ['fd00:ec2::254/128', 'fd00:ec2::254/128'],
  ])('with egress to %s opens %s', (cidr, open) => {
    expect(opened({ ...shared, egress: [{ cidr }] })).toEqual(open === undefined ? [] : [open]);
    expect(opened({ ...single, egress: [{ cidr }] })).toEqual(open === undefined ? [] : [open]);
  });

  test("is reached by a fetch from Google Cloud Storage whose identity comes from there, and by nobody else's", () => {
    const bySpec = Object.entries(SPECS).map(([title, spec]) => [title, opened(spec)]);
    const open = bySpec.filter(([, addresses]) => addresses?.length !== 0);
    expect(open).toEqual([[expect.stringContaining('Google Cloud Storage'), ['169.254.169.254/32']]]);
  });
});
