import { embedded, isWithin, masked } from '../values/index.ts';

/** Where a cloud serves what its nodes may do, and credentials for it, to anyone who asks from that node. */
interface MetadataService {
  /** The addresses, as the provider documents them. */
  readonly range: string;
  readonly provider: string;
  /** Where that is written: the provider's own documentation, or its own client. */
  readonly source: string;
}

/**
 * The metadata services of clouds. A range is listed where nothing else is in it: all link-local addresses, and what
 * Amazon has set apart for its own services. A service that is found by name alone, and not by an address that its
 * provider documents, can't be listed (Equinix Metal): a NetworkPolicy has no names.
 */
export const METADATA_SERVICES: readonly MetadataService[] = [
  {
    range: '169.254.0.0/16',
    provider:
      'Nearly all: 169.254.169.254 (Amazon, Google, Azure, Oracle, IBM, OpenStack, DigitalOcean, Hetzner, Vultr, OVH), 169.254.170.2 and 169.254.170.23 (Amazon ECS, EKS Pod Identity), 169.254.169.252 (GKE), 169.254.42.42 (Scaleway), 169.254.0.23 (Tencent)',
    source: 'RFC 3927: link-local',
  },
  {
    range: 'fe80::/10',
    provider: 'OpenStack: fe80::a9fe:a9fe; Azure: fe80::1234:5678:9abc',
    source: 'RFC 4291: link-local; https://docs.openstack.org/nova/latest/user/metadata.html',
  },
  {
    range: 'fd00:ec2::/32',
    provider: 'Amazon: fd00:ec2::254, and fd00:ec2::23 (EKS Pod Identity)',
    source: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html',
  },
  {
    range: '168.63.129.16/32',
    provider: 'Azure: WireServer',
    source: 'https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16',
  },
  {
    range: 'fd20:ce::254/128',
    provider: 'Google: instances that have IPv6 alone',
    source: 'https://cloud.google.com/compute/docs/metadata/querying-metadata',
  },
  {
    range: '100.100.100.200/32',
    provider: 'Alibaba',
    source: 'https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata',
  },
  {
    range: 'fd00:100::100:200/128',
    provider: 'Alibaba, IPv6',
    source: 'https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata',
  },
  {
    range: '192.0.0.192/32',
    provider: 'Oracle: Cloud at Customer, Classic',
    source: 'https://docs.oracle.com/en/cloud/iaas/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html',
  },
  {
    range: 'fd00:c1::a9fe:a9fe/128',
    provider: 'Oracle, IPv6',
    source: 'https://docs.oracle.com/en-us/iaas/Content/Compute/Tasks/gettingmetadata.htm',
  },
  {
    range: 'fd00:42::42/128',
    provider: 'Scaleway, IPv6',
    source: 'https://docs.cloud-init.io/en/latest/reference/datasources/scaleway.html',
  },
  {
    range: 'fd00:a9fe:a9fe::1/128',
    provider: 'Akamai (Linode), IPv6',
    source: 'https://docs.cloud-init.io/en/latest/reference/datasources/akamai.html',
  },
  {
    range: '100.96.0.96/32',
    provider: 'Volcano Engine, BytePlus',
    source: "https://github.com/volcengine/cello, the provider's own network plugin",
  },
  {
    range: '100.80.80.80/32',
    provider: 'UCloud',
    source: 'https://docs.ucloud.cn/uhost',
  },
];

/** Where a NAT64 gateway reaches all of IPv4: RFC 6052. */
const NAT64 = '64:ff9b::/96';

/**
 * What is left out: each service, and each one of IPv4 as a NAT64 gateway has it. No packet bears an IPv4 address in
 * the other form, `::ffff:0:0/96`, and the API server takes no such range.
 */
const LEFT_OUT: readonly string[] = METADATA_SERVICES.flatMap(({ range }) =>
  range.includes(':') ? [range] : [range, embedded(range, NAT64)],
);

/**
 * A range of a NetworkPolicy, less the metadata services that it holds among other addresses. They must be named to be
 * meant: by a range that lies in one of {@link METADATA_SERVICES}.
 */
export function withoutMetadata(declared: string): { readonly cidr: string; readonly except?: readonly string[] } {
  const cidr = masked(declared);
  // The API server takes only what is smaller than the range itself.
  const except = LEFT_OUT.filter((range) => isWithin(range, cidr) && !isWithin(cidr, range));
  return except.length > 0 ? { cidr, except } : { cidr };
}
