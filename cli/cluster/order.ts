import { join } from 'node:path';
import type { Reply } from './control.ts';

/** What the process in the background is to start. */
export interface Order {
  /** Folder of the cluster's data. */
  readonly dir: string;
  /** Nodes with GPUs. */
  readonly nodes: number;
  readonly gpusPerNode: number;
  /** Whether it has a real node as well. */
  readonly realNode: boolean;
}

/** What it says meanwhile. */
export type Report = { readonly line: string } | { readonly ready: Reply } | { readonly failed: string };

/** The socket on which the process that holds a cluster answers. */
export function socketOf(dir: string): string {
  return join(dir, 'control.sock');
}
