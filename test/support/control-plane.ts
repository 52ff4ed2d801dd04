import { findBinaries } from '../../cluster/binaries.ts';

/** Builds the control plane where this machine has none yet: it takes minutes, which no test or hook is given. */
export default async function setup(): Promise<void> {
  await findBinaries((line) => console.error(line));
}
