import { translation as aiAgent } from './ai-agent/translation.ts';
import { translation as llmDeployment } from './llm-deployment/translation.ts';
import { translation as mlModel } from './ml-model/translation.ts';
import { translation as mlTrainingJob } from './ml-training-job/translation.ts';
import { translation as modelDeployment } from './model-deployment/translation.ts';
import type { Translation } from './translation.ts';

/** How the resources of each earlier operator are resources of ours. */
export const translations = [modelDeployment, mlTrainingJob, llmDeployment, aiAgent, mlModel] as readonly Translation[];
