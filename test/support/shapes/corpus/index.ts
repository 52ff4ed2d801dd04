import type { Document } from './document.ts';
import { KSERVE } from './kserve.ts';
import { KAGENT, KUBEAI } from './kubeai.ts';
import { KUBEFLOW } from './kubeflow.ts';

/** Resources of others as their users write them. */
export const corpus: readonly Document[] = [...KSERVE, ...KUBEAI, ...KAGENT, ...KUBEFLOW];
