import { minimal, type RefusedExample } from './example.ts';

/** No names of hosts, or patterns that Cilium's releases take in different ways. */
const NO_HOSTS = [
  'localhost',
  '10.0.0.1',
  '2001:db8::1',
  'https://example.com',
  'example.com:443',
  'Example.com',
  'example.com.',
  'ex_ample.com',
  '-a.example.com',
  '*',
  '**',
  '*.com*',
  '*example.com',
  'a.*.example.com',
  '***.example.com',
];

/** What leads to the metadata service of a cloud, or may. */
const METADATA_HOSTS = [
  'metadata.google.internal',
  '*.google.internal',
  '**.internal',
  'meta*.google.internal',
  'metadata.goog',
  'm*.goog',
  'instance-data.ec2.internal',
  'metadata.platformequinix.com',
  '*.packet.net',
];

/** Entries of `egress`. */
export const refusedEgress: readonly RefusedExample[] = [
  {
    title: 'egress to addresses and pods in one entry, to neither, to no label, and to what is not a namespace',
    spec: {
      ...minimal,
      egress: [
        { cidr: '10.0.0.0/8', namespace: 'telemetry' },
        { cidr: '10.0.0.0/8', podLabels: { app: 'collector' } },
        { ports: [443] },
        { podLabels: {} },
        { namespace: 'telemetry.svc' },
        { podLabels: { app: 'a b' } },
        { cidr: '10.0.0.0/8', hosts: ['example.com'] },
        { namespace: 'tools', hosts: ['example.com'] },
      ],
    },
    problems: [
      ['spec.egress[0]', 'addresses (cidr), pods (namespace, podLabels, or both) or host names (hosts)'],
      ['spec.egress[1]', 'addresses (cidr), pods (namespace, podLabels, or both) or host names (hosts)'],
      ['spec.egress[2]', 'addresses (cidr), pods (namespace, podLabels, or both) or host names (hosts)'],
      ['spec.egress[3].podLabels', 'must name a label'],
      ['spec.egress[4].namespace', 'must be a DNS label'],
      ['spec.egress[5].podLabels', 'each value must be that of a label'],
      ['spec.egress[6]', 'addresses (cidr), pods (namespace, podLabels, or both) or host names (hosts)'],
      ['spec.egress[7]', 'addresses (cidr), pods (namespace, podLabels, or both) or host names (hosts)'],
    ],
  },
  {
    title: 'egress to what is not a host name, or to more than Cilium is sure of',
    spec: { ...minimal, egress: [{ hosts: NO_HOSTS }] },
    problems: NO_HOSTS.map((_, at) => [`spec.egress[0].hosts[${at}]`, 'must be a host name of at least two labels']),
  },
  {
    title: 'egress to Services by name',
    spec: { ...minimal, egress: [{ hosts: ['redis.tools.svc', '*.tools.svc.cluster.local'] }] },
    problems: [
      ['spec.egress[0].hosts[0]', 'name its pods by namespace and podLabels'],
      ['spec.egress[0].hosts[1]', 'name its pods by namespace and podLabels'],
    ],
  },
  {
    title: 'egress to metadata services of clouds by name',
    spec: { ...minimal, egress: [{ hosts: METADATA_HOSTS }] },
    problems: METADATA_HOSTS.map((_, at) => [`spec.egress[0].hosts[${at}]`, 'a metadata service of a cloud']),
  },
  {
    title: 'egress to no host, and to one twice',
    spec: { ...minimal, egress: [{ hosts: [] }, { hosts: ['a.example.com', 'a.example.com'] }] },
    problems: [
      ['spec.egress[0].hosts', 'should have at least 1 items'],
      ['spec.egress[1].hosts[1]', 'Duplicate value'],
    ],
  },
];
