import type { Manifest } from '../../../../constructs/index.ts';
import type { PodTemplate } from '../../../../constructs/parts/objects/kube.ts';

/** The template of the pods that an object makes; undefined where it makes none. */
export const podTemplateOf = ({ spec }: Manifest): PodTemplate | undefined =>
  (spec as { readonly template?: PodTemplate } | undefined)?.template;

/** The labels of the pods that an object makes. */
export const labelsOfPods = (manifest: Manifest): Readonly<Record<string, string>> =>
  podTemplateOf(manifest)?.metadata.labels ?? {};
