import type { TestProject } from 'vitest/node';
import { setUpWith } from '../support/controllers-setup.ts';
import { startKueue } from './support/kueue.ts';

/** A control plane with Kueue's own controller. */
export default (project: TestProject): Promise<() => Promise<void>> => setUpWith(project, [startKueue]);
