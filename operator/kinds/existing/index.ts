import type { Kind } from '../../engine/api/index.ts';
import { translation as aiAgent } from './ai-agent/translation.ts';
import { existingKind } from './kind.ts';
import { translation as llmDeployment } from './llm-deployment/translation.ts';
import { translation as mlModel } from './ml-model/translation.ts';
import { translation as mlTrainingJob } from './ml-training-job/translation.ts';
import { translation as modelDeployment } from './model-deployment/translation.ts';
import type { Translation } from './translation.ts';

/** How the resources of each earlier operator are resources of ours. */
export const translations = [modelDeployment, mlTrainingJob, llmDeployment, aiAgent, mlModel] as readonly Translation[];

/**
 * The kinds of earlier operators that the operator runs where their CRDs are installed.
 *
 * @param judge - what each kind of ours that runs them is held to
 */
export const existingKindsWith = (judge: (kind: Kind) => Kind): readonly Kind[] =>
  translations.map((translation) => existingKind({ ...translation, kind: judge(translation.kind) }));

/** The same, held to nothing. */
export const existingKinds: readonly Kind[] = existingKindsWith((kind) => kind);
