import { describe } from '../errors.ts';

/** What has to be undone at the end, whatever the end is. */
export class Cleanup {
  readonly #steps: { readonly what: string; readonly undo: () => Promise<unknown> }[] = [];

  /** @param what - what is done, for the case that it fails: "stop the cluster" */
  add(what: string, undo: () => Promise<unknown>): void {
    this.#steps.push({ what, undo });
  }

  /**
   * Undoes everything, the last first. A step that fails keeps no other from being tried.
   *
   * @param log - is told that it begins, and what failed
   */
  async run(log: (line: string) => void): Promise<void> {
    if (this.#steps.length > 0) log('\nRemoving what was made.');
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.undo();
      } catch (error) {
        log(`could not ${step.what}: ${describe(error)}`);
      }
    }
  }
}
