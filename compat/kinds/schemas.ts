import type { KindSchema } from '../../constructs/schema/kind.ts';
import { aiAgent } from './ai-agent/schema.ts';
import { llmDeployment, llmModel } from './llm-deployment/schema.ts';
import { mlModel } from './ml-model/schema.ts';
import { mlTrainingJob } from './ml-training-job/schema.ts';
import { modelDeployment } from './model-deployment/schema.ts';

/** The kinds of earlier operators whose resources run here as they are. */
export const COMPAT_SCHEMAS: readonly KindSchema[] = [
  modelDeployment,
  mlTrainingJob,
  llmModel,
  llmDeployment,
  aiAgent,
  mlModel,
];
