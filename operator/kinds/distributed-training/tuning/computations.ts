import { extname } from 'node:path';

/** The module of the functions that a search asks for: see suggestions.ts. */
export const COMPUTATIONS = new URL(`./suggestions${extname(import.meta.url)}`, import.meta.url);
