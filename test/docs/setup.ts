import type { TestProject } from 'vitest/node';
import { setUpWith } from '../support/controllers-setup.ts';
import { startKueue } from '../kueue/support/kueue.ts';
import { startLws } from '../lws/support/lws.ts';

/** A control plane with the controllers of Kueue and of LeaderWorkerSet, which pages take for granted. */
export default (project: TestProject): Promise<() => Promise<void>> => setUpWith(project, [startKueue, startLws]);
