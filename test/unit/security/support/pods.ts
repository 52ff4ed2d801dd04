import type { Manifest } from '../../../../constructs/index.ts';
import { podTemplatesIn } from '../../../../constructs/parts/objects/index.ts';
import type { PodTemplate } from '../../../../constructs/parts/objects/kube.ts';

/** The template of the pods that an object makes, of leaders where it makes groups; undefined where it makes none. */
export const podTemplateOf = (manifest: Manifest): PodTemplate | undefined =>
  podTemplatesIn(manifest)[0] as PodTemplate | undefined;

/** The labels of the pods that an object makes. */
export const labelsOfPods = (manifest: Manifest): Readonly<Record<string, string>> =>
  podTemplateOf(manifest)?.metadata.labels ?? {};
