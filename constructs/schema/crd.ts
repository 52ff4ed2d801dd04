import { mapValues } from './json.ts';
import { VERSION, type KindSchema } from './kind.ts';
import type { StructuralSchema } from './structural.ts';
import type { Manifest } from '../workload.ts';

/** The CustomResourceDefinition of a kind. */
export const crdOf = (kind: KindSchema): Manifest => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.plural}.${kind.group}`, labels: { 'app.kubernetes.io/part-of': 'trunnion' } },
  spec: {
    group: kind.group,
    scope: 'Namespaced',
    names: {
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      plural: kind.plural,
      singular: kind.kind.toLowerCase(),
      shortNames: kind.shortNames,
      categories: ['trunnion'],
    },
    versions: [
      {
        name: VERSION,
        served: true,
        storage: true,
        additionalPrinterColumns: kind.columns,
        subresources: {
          status: {},
          ...(kind.scalable === true && {
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          }),
        },
        schema: { openAPIV3Schema: withoutNotes(kind.schema()) },
      },
    ],
  },
});

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
