import { isObject } from '../constructs/schema/json.ts';
import type { Json } from '../constructs/schema/json.ts';

/** What to do with a file that is rendered by a template engine first. */
export const HELM = 'is a template of Helm: render its chart first, helm template CHART | trunnion ... -f -';

/** Whether a text has actions that only Helm's templates have; KServe has templates of other fields. */
export const isHelmTemplate = (text: string): boolean =>
  /\{\{[^{}\n]{0,500}(?:\.(?:Values|Release|Chart|Capabilities)|\b(?:include|define|toYaml|nindent|end))\b/.test(text);

/** Fields that a kustomization has, and a resource of Kubernetes has not at its root. */
const OF_KUSTOMIZE = ['resources', 'bases', 'patches', 'patchesStrategicMerge', 'configMapGenerator', 'components'];

/** What to do with an object that is read by another program; undefined where it may be a resource. */
export function otherProgramOf(object: Json): string | undefined {
  if (!isObject(object)) return undefined;
  const { apiVersion, kind } = object;
  const isOfKustomize = typeof apiVersion === 'string' && apiVersion.startsWith('kustomize.config.k8s.io/');
  if (isOfKustomize || (kind === undefined && OF_KUSTOMIZE.some((name) => Array.isArray(object[name])))) {
    return 'is a kustomization: render its folder first, kubectl kustomize FOLDER | trunnion ... -f -';
  }
  const isChart = kind === undefined && (apiVersion === 'v1' || apiVersion === 'v2') && object['version'] !== undefined;
  return isChart
    ? 'is the description of a Helm chart: render it first, helm template CHART | trunnion ... -f -'
    : undefined;
}
