import { describe, expect, it, test } from 'vitest';
import type { AgentServiceSpec } from '../../../../constructs/agent-service/spec.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import { wideningOf } from '../../../../operator/kinds/agent-service/policies.ts';
import { isWithin } from '../../../../constructs/parts/values/cidr.ts';
import { TYPES } from '../../../../operator/kube/client/resource-types.ts';
import { cpuMsOf } from '../../../support/cpu.ts';
import {
  decide,
  deployment,
  minimal,
  pod,
  referring,
  resourceOf,
  running,
  conditionOf,
  messageOf,
  serving,
  START,
} from './support.ts';

const spec: AgentServiceSpec = {
  ...minimal,
  mcpServers: [{ name: 'tickets', url: 'http://tickets.tools.svc:8080/mcp' }],
  egress: [{ cidr: '10.0.0.0/8', ports: [443] }],
};
const INSTANCE = { matchLabels: { 'app.kubernetes.io/instance': 'agent' } };

const policies = (...specs: readonly object[]): Readonly<Record<string, Answer>> => ({
  policies: {
    at: START,
    type: 'objects',
    objects: [
      { name: 'agent', slice: { spec: { podSelector: INSTANCE, policyTypes: ['Egress'], egress: [{}] } } },
      ...specs.map((policy, index) => ({ name: `other-${index}`, slice: { spec: policy } })),
    ],
  },
});
const opening = (...egress: readonly object[]) => ({ podSelector: {}, policyTypes: ['Egress'], egress });
const verdict = (answers: Readonly<Record<string, Answer>>, of = spec) =>
  decide({ resource: resourceOf(of), children: running(), answers, related: serving() }).status;
const to443 = { protocol: 'TCP', port: 443 };
const block = (cidr: string, except?: readonly string[]) => ({ ipBlock: { cidr, ...(except && { except }) } });

describe('EgressEnforced', () => {
  it('is not known before the policies of the namespace have been looked at, and False without our own', () => {
    expect(conditionOf(verdict({}), 'EgressEnforced')).toBe('Unknown NotLookedYet');
    const bare = decide({ resource: resourceOf(spec), children: [deployment()], answers: policies() });
    expect(conditionOf(bare.status, 'EgressEnforced')).toBe('False PolicyMissing');
  });

  it('is True where somebody deletes the policy, which stays in force for as long as it has pods to cover', () => {
    const children = running().map((child) =>
      child.kind === 'NetworkPolicy' ? { ...child, deleting: true, staysFor: INSTANCE } : child,
    );
    const deleted = decide({ resource: resourceOf(spec), children, answers: policies(), related: serving() });
    expect(conditionOf(deleted.status, 'EgressEnforced')).toBe('True Enforced');
  });

  describe('of an agent that reaches hosts by name', () => {
    const reaching: AgentServiceSpec = { ...spec, egress: [...(spec.egress ?? []), { hosts: ['api.openai.com'] }] };
    const cilium = (served: boolean): Answer => ({ at: START, type: 'served', served });
    const CILIUM = 'served/CiliumNetworkPolicy.v2';
    const hostPolicy = running().flatMap((child) =>
      child.kind === 'NetworkPolicy' ? [{ ...child, apiVersion: 'cilium.io/v2', kind: 'CiliumNetworkPolicy' }] : [],
    );
    const taken = (child: string) => ({
      child,
      reason: 'NameTaken',
      message: 'It exists and was not made by Trunnion for this resource.',
    });
    const of = (more: Partial<Parameters<typeof decide>[0]>, ...others: readonly object[]) =>
      decide({
        resource: resourceOf(reaching),
        children: [...running(), ...hostPolicy],
        answers: { ...policies(...others), [CILIUM]: cilium(true) },
        related: serving(),
        ...more,
      }).status;

    it('is True where its CiliumNetworkPolicy is there, and while that stays for pods', () => {
      expect(conditionOf(of({}), 'EgressEnforced')).toBe('True Enforced');
      const leaving = hostPolicy.map((child) => ({ ...child, deleting: true, staysFor: INSTANCE }));
      expect(conditionOf(of({ children: [...running(), ...leaving] }), 'EgressEnforced')).toBe('True Enforced');
    });

    it('is False where that is missing, on its way out, or made by others', () => {
      const missing = of({ children: running() });
      expect(conditionOf(missing, 'EgressEnforced')).toBe('False PolicyMissing');
      expect(messageOf(missing, 'EgressEnforced')).toMatch(
        /CiliumNetworkPolicy of the hosts of spec\.egress is not there yet/,
      );
      const leaving = hostPolicy.map((child) => ({ ...child, deleting: true }));
      expect(conditionOf(of({ children: [...running(), ...leaving] }), 'EgressEnforced')).toBe('False PolicyMissing');
      const theirs = of({ problems: [taken('host-egress')] });
      expect(conditionOf(theirs, 'EgressEnforced')).toBe('False PolicyMissing');
      expect(messageOf(theirs, 'EgressEnforced')).toMatch(/was not made by Trunnion/);
    });

    it('is False where Cilium is not installed, also before a new operator has asked again', () => {
      const without = of({ children: running(), answers: { ...policies(), [CILIUM]: cilium(false) } });
      expect(conditionOf(without, 'EgressEnforced')).toBe('False CiliumNotInstalled');
      const resource = resourceOf(reaching, { status: without });
      const again = of({ resource, children: running(), answers: policies() });
      expect(conditionOf(again, 'EgressEnforced')).toBe('False CiliumNotInstalled');
    });

    it('tells first what is open too far, and then what is shut', () => {
      const both = of({ children: running() }, opening({}));
      expect(conditionOf(both, 'EgressEnforced')).toBe('False Widened');
      expect(messageOf(both, 'EgressEnforced')).toMatch(/any address on any port.*CiliumNetworkPolicy of the hosts/);
    });

    it('is about its hosts no more once the spec has none', () => {
      const bare = { resource: resourceOf(spec), children: running() };
      expect(conditionOf(of(bare), 'EgressEnforced')).toBe('True Enforced');
    });
  });

  it('is False where others have made a NetworkPolicy of its name', () => {
    const problem = { child: 'network-policy', reason: 'NameTaken', message: 'It belongs to others.' };
    const theirs = decide({
      resource: resourceOf(spec),
      children: running(),
      answers: policies(),
      problems: [problem],
    });
    expect(conditionOf(theirs.status, 'EgressEnforced')).toBe('False PolicyMissing');
    expect(messageOf(theirs.status, 'EgressEnforced')).toMatch(/belongs to others/);
  });

  it('stays what it was under an operator that starts again and has not looked yet', () => {
    const before = verdict(policies(opening({})));
    const again = decide({ resource: resourceOf(spec, { status: before }), children: running() });
    expect(again.status).toEqual(before);
  });

  it('asks for all policies of the namespace', () => {
    expect(decide({ resource: resourceOf(spec) }).queries).toContainEqual({
      id: 'policies',
      type: 'objects',
      resource: TYPES.networkPolicy,
      paths: ['spec.podSelector', 'spec.policyTypes', 'spec.egress'],
      everySeconds: 60,
    });
  });

  test.each<[string, object]>([
    [
      'there is no other policy',
      { podSelector: { matchLabels: { app: 'other' } }, policyTypes: ['Egress'], egress: [{}] },
    ],
    ['another policy closes all', opening()],
    ['another policy is about ingress alone', { podSelector: {}, policyTypes: ['Ingress'], egress: [] }],
    ['another policy opens DNS', opening({ ports: [{ protocol: 'UDP', port: 53 }] })],
    ['another policy opens a part of what is declared', opening({ to: [block('10.1.0.0/16')], ports: [to443] })],
    [
      'another policy opens what is declared, but for a part',
      opening({ to: [block('10.0.0.0/8', ['10.1.0.0/16'])], ports: [to443] }),
    ],
    [
      'another policy opens an MCP server',
      opening({
        to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'tools' } } }],
        ports: [{ port: 8080 }],
      }),
    ],
  ])('is True where %s', (_, policy) => {
    expect(conditionOf(verdict(policies(policy)), 'EgressEnforced')).toBe('True Enforced');
  });

  test.each<[string, object]>([
    ['any address on any port', opening({})],
    ['any address on TCP port 443', opening({ ports: [to443] })],
    ['0.0.0.0/0 on TCP port 443', opening({ to: [block('0.0.0.0/0')], ports: [to443] })],
    ['10.0.0.0/8 on any port', opening({ to: [block('10.0.0.0/8')] })],
    ['10.0.0.0/8 on TCP port 443-8443', opening({ to: [block('10.0.0.0/8')], ports: [{ ...to443, endPort: 8443 }] })],
    ['10.0.0.0/8 on UDP port 443', opening({ to: [block('10.0.0.0/8')], ports: [{ protocol: 'UDP', port: 443 }] })],
    ['pods by {"podSelector":{}} on any port', opening({ to: [{ podSelector: {} }] })],
  ])('is False where another policy opens %s, and names the policy', (opened, policy) => {
    const status = verdict(policies(opening(), policy));
    expect(conditionOf(status, 'EgressEnforced')).toBe('False Widened');
    expect(messageOf(status, 'EgressEnforced')).toContain(`NetworkPolicy other-1 opens ${opened}. `);
  });

  it('knows what a modelRef opens', () => {
    const peer = {
      podSelector: {
        matchLabels: {
          'app.kubernetes.io/component': 'server',
          'app.kubernetes.io/instance': 'llama',
          'app.kubernetes.io/name': 'model-serving',
        },
      },
    };
    const answers = policies(opening({ to: [peer], ports: [{ protocol: 'TCP', port: 8000 }] }));
    expect(conditionOf(verdict(answers, referring), 'EgressEnforced')).toBe('True Enforced');
    expect(conditionOf(verdict(answers, minimal), 'EgressEnforced')).toBe('False Widened');
  });

  it('looks at labels that live pods have beside ours', () => {
    const answers = policies({ ...opening({}), podSelector: { matchLabels: { team: 'a' } } });
    const labelled = pod('agent-1', { labels: { team: 'a' } });
    const seen = decide({ resource: resourceOf(spec), children: running(), answers, pods: [labelled] });
    expect(conditionOf(seen.status, 'EgressEnforced')).toBe('False Widened');
    expect(conditionOf(verdict(answers), 'EgressEnforced')).toBe('True Enforced');
  });

  it('says nothing against an agent that runs', () => {
    const status = verdict(policies(opening({})));
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
  });
});

describe('a hole in what is declared', () => {
  const declared = [{ to: [block('0.0.0.0/0', ['169.254.0.0/16'])], ports: [to443] }];
  const opens = (cidr: string, except?: readonly string[]) =>
    wideningOf(
      {
        name: 'other',
        podSelector: {},
        policyTypes: ['Egress'],
        egress: [{ to: [block(cidr, except)], ports: [to443] }],
      },
      declared,
    );

  it('stays one where another policy opens what is around it', () => {
    expect(opens('10.0.0.0/8')).toBeUndefined();
    expect(opens('0.0.0.0/0', ['169.254.0.0/16'])).toBeUndefined();
    expect(opens('0.0.0.0/0', ['169.0.0.0/8'])).toBeUndefined();
  });

  it('is filled where another policy opens it, or a part of it', () => {
    expect(opens('0.0.0.0/0')).toBe('0.0.0.0/0 on TCP port 443');
    expect(opens('169.254.169.254/32')).toBe('169.254.169.254/32 on TCP port 443');
    expect(opens('0.0.0.0/0', ['169.254.0.0/24'])).toBe('0.0.0.0/0 on TCP port 443');
  });
});

describe('policies that are made to be compared forever', () => {
  const many = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);
  const hostile = (egress: object) => ({
    name: 'hostile',
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [egress as never],
  });
  const declared = [{ to: [block('0.0.0.0/0')], ports: [to443] }];

  it.each([
    ['peers times ports', { to: many(10_000, block('10.0.0.0/8')), ports: many(10_000, to443) }],
    ['holes', { to: many(100, block('10.0.0.0/8', many(10_000, '10.0.0.0/24'))), ports: [to443] }],
  ])('count as wide, and take no longer than others: %s', (_, egress) => {
    const compare = () => expect(wideningOf(hostile(egress), declared)).toBe('more ways than are compared');
    expect(cpuMsOf(compare)).toBeLessThan(1_000);
  });

  it('are reported by the first of them, and by how many there are', () => {
    const objects = Array.from({ length: 3_000 }, (_, index) => ({
      name: `p${index}`,
      slice: { spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] } },
    }));
    const status = verdict({ policies: { at: START, type: 'objects', objects } });
    expect(conditionOf(status, 'EgressEnforced')).toBe('False Widened');
    const words = messageOf(status, 'EgressEnforced') ?? '';
    expect(words).toContain('; and 2984 more. Narrow');
    expect(words.length).toBeLessThan(2_000);
  });
});

describe('a range of addresses', () => {
  test.each([
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.1.0.0/16', false],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['192.168.1.7/32', '192.168.0.0/23', true],
    ['192.168.2.0/24', '192.168.0.0/23', false],
    ['0.0.0.0/0', '0.0.0.0/0', true],
    ['2001:db8:1::/48', '2001:db8::/32', true],
    ['2001:db9::/32', '2001:db8::/32', false],
    ['::1/128', '::/0', true],
    ['10.0.0.0/8', '::/0', false],
    ['fe80::1:2/128', 'fe80::/10', true],
  ])('%s in %s: %s', (inner, outer, within) => {
    expect(isWithin(inner, outer)).toBe(within);
  });
});
