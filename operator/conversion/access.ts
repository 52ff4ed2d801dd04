import type { ConversionWebhook } from '../../constructs/schema/crd-conversion.ts';
import { CONVERSION_PATH, isConverted } from '../../constructs/schema/crd-conversion.ts';
import { crdName } from '../../constructs/schema/crd.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Manifest } from '../../constructs/workload.ts';

/** The port on which the operator converts. */
export const CONVERSION_PORT = 9443;

/** The name of the Service before the operator, and of the Secret with its certificate. */
export const conversionName = (operator: string): string => `${operator}-conversion`;

/** The name under which the API server asks a Service. */
export const serviceHost = (name: string, namespace: string): string => `${name}.${namespace}.svc`;

/** Where the CRDs of an operator send the API server. */
export const webhookOf = ({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace: string;
}): ConversionWebhook => ({
  service: { name: conversionName(name), namespace },
});

export interface ConversionServiceOptions {
  /** Of the operator. */
  readonly name: string;
  readonly namespace: string;
  /** What chooses the pods of the operator. */
  readonly selector: Readonly<Record<string, string>>;
  /** @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default CONVERSION_PORT */
  readonly port?: number;
}

/**
 * The Service through which the API server asks the operator. It leads to pods that are not ready too: where resources
 * are stored in an older version, the operator is ready only once they have been converted, by itself.
 */
export const conversionService = (options: ConversionServiceOptions): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: conversionName(options.name),
    namespace: options.namespace,
    ...(options.labels !== undefined && { labels: options.labels }),
  },
  spec: {
    selector: options.selector,
    publishNotReadyAddresses: true,
    ports: [{ name: 'conversion', port: 443, protocol: 'TCP', targetPort: options.port ?? CONVERSION_PORT }],
  },
});

/** A rule of a role that is about some objects by their names. */
export interface NamedPolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What the operator may do for conversion, in the cluster and in its own namespace; nothing where it converts nothing. */
export function conversionRules(
  kinds: readonly Pick<KindSchema, 'group' | 'plural' | 'versions'>[],
  { name }: { readonly name: string },
): { readonly cluster: readonly NamedPolicyRule[]; readonly namespace: readonly NamedPolicyRule[] } {
  const crds = kinds.filter(isConverted).map(crdName);
  if (crds.length === 0) return { cluster: [], namespace: [] };
  const secrets = { apiGroups: [''], resources: ['secrets'] };
  return {
    cluster: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        verbs: ['get', 'patch'],
        resourceNames: crds,
      },
    ],
    namespace: [
      { ...secrets, verbs: ['get', 'update'], resourceNames: [conversionName(name)] },
      // A name can't be asked of what is not there yet.
      { ...secrets, verbs: ['create'] },
    ],
  };
}

/** The URL of a converter outside of the cluster. */
export const conversionUrl = (host: string, port: number = CONVERSION_PORT): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${port}${CONVERSION_PATH}`;
