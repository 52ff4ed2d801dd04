import type { Life } from '../life.ts';
import { modelServingLife } from './model-serving.ts';

/** The whole life of each kind. */
export const lives: readonly Life[] = [modelServingLife];
