import { join } from 'node:path';
import { inject } from 'vitest';

/** The chart as it ships. */
export const chart = (): string => join(inject('install').dist, 'charts', 'trunnion');
