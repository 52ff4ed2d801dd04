import { isConverted } from '../../constructs/schema/crd-conversion.ts';
import { referenceOf } from '../../constructs/schema/reference.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { webhookOf } from '../../operator/conversion/index.ts';
import type { DefinedKind } from '../../operator/runtime/index.ts';
import type { BuiltFile } from '../../stacks/operator/chart/chart.ts';
import { definedChart } from '../../stacks/operator/defined/chart.ts';
import { rights, rightsOfUsers } from '../../stacks/operator/defined/objects.ts';
import { printYaml } from '../../yaml/print.ts';
import type { OperatorOfKinds } from '../user-kinds/operator.ts';
import type { Package } from './package.ts';

/** Files by what they are named in a folder; on stdout they come one after the other. */
export type Files = readonly BuiltFile[];

/**
 * The CRDs of kinds: one file each.
 *
 * @param operator - who converts between their versions; needed where one has versions to be converted
 */
export const crdFiles = (kinds: readonly DefinedKind[], operator: () => OperatorOfKinds): Files =>
  kinds.map((kind) => ({
    path: `${kind.type.group}_${kind.type.plural}.yaml`,
    text: printYaml(kind.crd(isConverted(kind.schema) ? webhookFor(operator()) : undefined)),
  }));

/** In the namespace of its name, as for roles. */
const webhookFor = ({ identity: { name } }: OperatorOfKinds) => webhookOf({ name, namespace: name });

/** The reference page of each kind, with its examples. */
export const docsFiles = (kinds: readonly DefinedKind[]): Files =>
  kinds.map((kind) => ({
    path: `${pageName(kind.type.kind)}.md`,
    text: [referenceOf(kind.schema).trimEnd(), ...examplesOf(kind)].join('\n\n').concat('\n'),
  }));

/** Examples as resources that could be applied. */
function examplesOf({ schema, examples }: DefinedKind): readonly string[] {
  const { group, version, kind } = schema;
  const resources = examples.map((spec, index) => ({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: `example-${index + 1}` },
    spec,
  }));
  if (resources.length === 0) return [];
  return ['## Examples', ...resources.map((resource) => `\`\`\`yaml\n${printYaml(resource)}\`\`\``)];
}

/** A page's name is its kind's, as in URLs: `web-app`. */
const pageName = (kind: string): string => kind.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase();

/** Where an operator works. */
export interface Place {
  readonly namespace: string;
  /** @default - the whole cluster */
  readonly watchNamespace?: string;
}

/** Its account and roles, and those of users. */
export function rbacFiles({ identity, kinds }: OperatorOfKinds, { namespace, watchNamespace = '' }: Place): Files {
  const operator = { identity, kinds, version: '' };
  const objects = [
    ...rights(operator, { watchNamespace }, namespace),
    ...rightsOfUsers(operator, { watchNamespace, userRoles: { enabled: true } }),
  ];
  return objects.map((object) => ({ path: fileOf(object), text: printYaml(object) }));
}

const fileOf = ({ kind, metadata: { name } }: Manifest): string => `${name}.${kind.toLowerCase()}.yaml`;

/** What a chart is made from beside the operator. */
export interface ChartWords extends Package {
  /** @default - the operator's name, below a prefix that nobody else can put images under */
  readonly image?: string;
  /** The command line that writes it. */
  readonly command: string;
}

/** The Helm chart of the operator. */
export function chartFiles({ identity, kinds }: OperatorOfKinds, words: ChartWords): Files {
  const { image, version, command } = words;
  const names = kinds.map(({ type }) => type.kind).join(', ');
  const description = words.description ?? `The operator of ${names}.`;
  const repository = image ?? `docker.io/library/${identity.name}`;
  return definedChart({ identity, kinds, version, description: sentence(description), repository, command });
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
