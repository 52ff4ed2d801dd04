import { conversionOf, type ConversionWebhook } from './crd-conversion.ts';
import type { Column } from './columns.ts';
import { isObject, mapValues } from './json.ts';
import type { KindSchema } from './kind.ts';
import type { StructuralSchema } from './structural.ts';
import type { Manifest } from '../workload.ts';

/**
 * The CustomResourceDefinition of a kind.
 *
 * @param webhook - where the API server has resources converted; needed where the kind has versions with specs of their own
 * @throws SpecError where it is needed and isn't there, or can't be
 */
export function crdOf(kind: KindSchema, webhook?: ConversionWebhook): Manifest {
  const { group, scope, plural, shortNames, categories = [], labels = {}, version, versions, columns } = kind;
  const conversion = conversionOf(kind, webhook);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName(kind), ...(Object.keys(labels).length > 0 && { labels }) },
    spec: {
      group,
      scope,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular: kind.kind.toLowerCase(),
        shortNames,
        categories,
      },
      versions: [
        versionOf(kind, { name: version, served: true, storage: true, columns, schema: kind.schema }),
        ...versions.map((each) => versionOf(kind, { ...each, storage: false })),
      ],
      ...(conversion !== undefined && { conversion }),
    },
  };
}

/** The name of the CRD of a kind. */
export const crdName = ({ plural, group }: Pick<KindSchema, 'plural' | 'group'>): string => `${plural}.${group}`;

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: string;
  readonly columns: readonly Column[];
  readonly schema: () => StructuralSchema;
}

function versionOf({ scalable }: KindSchema, { name, served, storage, deprecated, columns, schema }: Version) {
  const whole = schema();
  return {
    name,
    served,
    storage,
    ...(deprecated !== undefined && { deprecated: true, deprecationWarning: deprecated }),
    additionalPrinterColumns: columns,
    subresources: {
      status: {},
      ...(scalable === true && (storage || hasReplicas(whole)) && { scale: SCALE }),
    },
    schema: { openAPIV3Schema: withoutNotes(whole) },
  };
}

const SCALE = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

const hasReplicas = ({ properties }: StructuralSchema): boolean =>
  isObject(properties?.['spec']?.properties?.['replicas']);

/** A schema without what only the reference page reads. */
function withoutNotes({ hosts: _hosts, ...schema }: StructuralSchema): StructuralSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, withoutNotes) }),
    ...(items && { items: withoutNotes(items) }),
    ...(additionalProperties && { additionalProperties: withoutNotes(additionalProperties) }),
  };
}
