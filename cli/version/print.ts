import { OPERATOR_NAME } from '../../operator/name.ts';
import { inLines } from '../output.ts';
import type { ClusterVersions, Versions } from './types.ts';

/** The versions for a person, a line each. */
export function versionsText(versions: Versions, operatorNamespace: string): string {
  const { client, cluster } = inLines(versions);
  const rows: readonly (readonly [string, string])[] = [
    ['Client', client],
    ...(cluster?.known === true ? clusterRows(cluster.value, operatorNamespace) : []),
  ];
  return rows.map(([name, value]) => `${`${name}:`.padEnd(12)}${value}\n`).join('');
}

function clusterRows({ kubernetes, crds, operator }: ClusterVersions, namespace: string) {
  return [
    ['Operator', operatorWords(operator, namespace)],
    ...(crds.length === 0
      ? [['CRDs', 'none; trunnion install puts them there'] as const]
      : crds.map(({ groupVersion, kinds }) => ['CRDs', `${groupVersion} (${kinds.join(', ')})`] as const)),
    ['Kubernetes', kubernetes],
  ] as const;
}

function operatorWords(operator: ClusterVersions['operator'], namespace: string): string {
  if (!operator.known) return `unknown: ${operator.because}`;
  if (operator.value === undefined) {
    return `none: ${namespace} has no Deployment ${OPERATOR_NAME}; --operator-namespace says where else it is`;
  }
  const { image, version = 'unknown version', ready, replicas } = operator.value;
  return `${version}, ${image} in ${operator.value.namespace}, ${ready} of ${replicas} pods ready`;
}
