import { findBinaries } from '../../cluster/binaries.ts';
import { requirements, thisHost } from '../../cluster/real-node/requirements.ts';
import { findNodeTools } from '../../cluster/real-node/tools.ts';
import { debianImage, LIGHT_WITH_PYTHON, MPI, NEXT_LIGHT_WITH_PYTHON } from './images/debian.ts';

const log = (line: string): void => console.error(line);

/**
 * Builds what is not there yet, one thing after the other: that takes minutes, and beside the tests it would take the cores from
 * their pods.
 *
 * @throws one line that says what this machine lacks
 */
export default async function setup(): Promise<void> {
  requirements(thisHost());
  await findBinaries(log);
  await findNodeTools(log);
  for (const image of [LIGHT_WITH_PYTHON, NEXT_LIGHT_WITH_PYTHON, MPI]) {
    log(`the image ${image.name}: ${await debianImage(image)}`);
  }
}
