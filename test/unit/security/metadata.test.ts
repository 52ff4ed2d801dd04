import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { embedded, isWithin } from '../../../constructs/parts/values/cidr.ts';
import { declaredEgress } from '../../../constructs/parts/network/isolation.ts';
import type { NetworkPolicyEgressRule } from '../../../constructs/parts/objects/kube.ts';
import { METADATA_SERVICES } from '../../../constructs/parts/network/metadata-services.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { filed, rendered } from '../compat/kinds/support.ts';
import { render } from '../model-serving/support/render.ts';
import { shared, single, SPECS } from '../model-serving/support/specs.ts';

/** Where clouds serve a node's credentials: one address of each, and how NAT64 reaches those of IPv4. */
const METADATA = [
  '169.254.169.254/32',
  '169.254.170.2/32',
  '169.254.170.23/32',
  '169.254.0.23/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '100.96.0.96/32',
  '100.80.80.80/32',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fe80::a9fe:a9fe/128',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  'fd00:a9fe:a9fe::1/128',
  'fd00:100::100:200/128',
  '64:ff9b::a9fe:a9fe/128',
  '64:ff9b::a83f:8110/128',
  '64:ff9b::6464:64c8/128',
];

const rulesOf = (manifests: readonly Manifest[]): readonly NetworkPolicyEgressRule[] =>
  manifests
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec }) => (spec as { egress?: readonly NetworkPolicyEgressRule[] }).egress ?? []);

const isOpen = (rule: NetworkPolicyEgressRule, address: string): boolean =>
  (rule.to ?? [{ ipBlock: { cidr: address } }]).some(
    ({ ipBlock }) =>
      ipBlock !== undefined &&
      isWithin(address, ipBlock.cidr) &&
      !(ipBlock.except ?? []).some((range) => isWithin(address, range)),
  );

const isDns = ({ to, ports = [] }: NetworkPolicyEgressRule): boolean =>
  to === undefined && ports.length > 0 && ports.every(({ port }) => port === 53 || port === 5353);

const openedBy = (rules: readonly NetworkPolicyEgressRule[]): readonly string[] =>
  METADATA.filter((address) => rules.some((rule) => !isDns(rule) && isOpen(rule, address)));

const opened = (spec: ModelServingSpecInput): readonly string[] =>
  openedBy(rulesOf(render(spec).map(({ manifest }) => manifest)));

/** By which ranges a metadata service is named. */
const NAMES = METADATA_SERVICES.flatMap(({ range }) =>
  range.includes(':') ? [range] : [range, embedded(range, '64:ff9b::/96')],
);

/** Ranges of all sizes, many of them around a metadata service. */
const cidrs: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, length]) => `${address}/${length}`),
  fc
    .tuple(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), fc.nat(128))
    .map(([groups, length]) => `${groups.map((group) => group.toString(16)).join(':')}/${length}`),
  fc.tuple(fc.constantFrom(...METADATA, ...NAMES), fc.nat(128)).map(([near, length]) => {
    const [address = ''] = near.split('/');
    return `${address}/${address.includes(':') ? length : length % 33}`;
  }),
);

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

  test.each(['aiagent.yaml', 'llm.yaml', 'mlmodel.yaml', 'mltrainingjob.yaml', 'modeldeployment.yaml'])(
    "is out of reach for the resources of earlier operators' users in %s, which may reach any other address",
    (file) => {
      const related = filed(file);
      const rules = Object.values(related)
        .filter(({ kind }) => kind !== 'LLMModel')
        .flatMap((resource) => rulesOf(rendered(resource, { related }).map(({ manifest }) => manifest)));
      expect(rules.some((rule) => !isDns(rule) && isOpen(rule, '203.0.113.1/32'))).toBe(true);
      expect(openedBy(rules)).toEqual([]);
    },
  );

  test('is reached by no range but one that names it, whatever its size and whatever it holds', () => {
    fc.assert(
      fc.property(cidrs, (cidr) => {
        if (!NAMES.some((range) => isWithin(cidr, range)))
          expect([cidr, openedBy(declaredEgress([{ cidr }]))]).toEqual([cidr, []]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is cut out in a way that the API server takes: each part smaller than the range, and no part twice', () => {
    fc.assert(
      fc.property(cidrs, (cidr) => {
        for (const { to = [] } of declaredEgress([{ cidr }])) {
          for (const { ipBlock } of to) {
            const except = ipBlock?.except ?? [];
            expect(new Set(except).size).toBe(except.length);
            for (const part of except) {
              expect([part, isWithin(part, cidr), isWithin(cidr, part)]).toEqual([part, true, false]);
            }
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['0.0.0.0/0', []],
    ['160.0.0.0/4', []],
    ['fc00::/7', []],
    ['10.0.0.0/8', []],
    ['100.64.0.0/10', []],
    ['168.63.129.0/24', []],
    ['168.63.129.16/31', []],
    ['192.0.0.0/24', []],
    ['fd00::/16', []],
    ['64:ff9b::/96', []],
    ['64:ff9b::a9fe:a9fe/128', ['64:ff9b::a9fe:a9fe/128']],
    ['169.254.169.254/32', ['169.254.169.254/32']],
    ['169.254.169.0/24', ['169.254.169.254/32']],
    ['fd00:ec2::254/128', ['fd00:ec2::254/128']],
    ['FD00:0EC2:0::254/128', ['fd00:ec2::254/128']],
    ['168.63.129.16/32', ['168.63.129.16/32']],
    ['100.100.100.200/32', ['100.100.100.200/32']],
  ])('with egress to %s opens %j', (cidr, open) => {
    expect(opened({ ...shared, egress: [{ cidr }] })).toEqual(open);
    expect(opened({ ...single, egress: [{ cidr }] })).toEqual(open);
  });

  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.0.0.1/0', '0.0.0.0/0'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['2001:db8::1/32', '2001:db8:0:0:0:0:0:0/32'],
    ['::1/0', '0:0:0:0:0:0:0:0/0'],
    ['FD00:EC2::/31', 'FD00:EC2::/31'],
  ])('is left out of %s, which the API server takes as %s alone', (cidr, taken) => {
    const [rule] = declaredEgress([{ cidr }]);
    expect(rule?.to?.[0]?.ipBlock?.cidr).toBe(taken);
  });

  test("is reached by a fetch from Google Cloud Storage whose identity comes from there, and by nobody else's", () => {
    const bySpec = Object.entries(SPECS).map(([title, spec]) => [title, opened(spec)]);
    const open = bySpec.filter(([, addresses]) => addresses?.length !== 0);
    expect(open).toEqual([[expect.stringContaining('Google Cloud Storage'), ['169.254.169.254/32']]]);
  });
});
