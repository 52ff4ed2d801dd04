import { createCipheriv, createHash } from 'node:crypto';
import { tarOf } from '../../unit/weights/support/tar.ts';

/** The weights of the model: enough that their fetch takes seconds, at the pace of the sources. */
export const WEIGHTS_BYTES = 24 * 2 ** 20;

/** The same each time, and nothing that could be packed. */
export const weights = (): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(WEIGHTS_BYTES));

/** What the light engine looks for in a model. */
export const CONFIG = Buffer.from('{"model_type":"light"}\n');

/** The same model as one file. */
export const archive = (): Buffer =>
  tarOf({ name: 'config.json', content: CONFIG }, { name: 'model.safetensors', content: weights() });

export const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
