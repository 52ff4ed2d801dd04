import type { TestProject } from 'vitest/node';
import { setUpWith } from '../support/controllers-setup.ts';
import { startLws } from './support/lws.ts';

/** A control plane with LWS' own controller, and nodes for 16 pods of 8 GPUs. */
export default (project: TestProject): Promise<() => Promise<void>> =>
  setUpWith(project, [startLws], { nodes: 16, auditLog: true });
