import { differencesOf } from './differences.ts';
import { listed } from './errors.ts';
import type { Request } from './client.ts';

/** What an operator wrote lately: by that it is told what keeps it busy. */
export class WriteJournal {
  readonly #lines: string[] = [];
  /** The last two bodies of each line. */
  readonly #bodies = new Map<string, readonly (object | undefined)[]>();

  /** All writes, in their order: `create Deployment/web`. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  add(request: Request): void {
    const line = `${request.verb} ${request.object.kind}/${request.object.name}`;
    const [, before] = this.#bodies.get(line) ?? [];
    this.#bodies.set(line, [before, request.body]);
    this.#lines.push(line);
  }

  /**
   * What was written again and again, and how the last two of each differ.
   *
   * @param from - how many writes there were before
   */
  repeatedSince(from: number): string {
    const counts = new Map<string, number>();
    for (const line of this.#lines.slice(from)) counts.set(line, (counts.get(line) ?? 0) + 1);
    if (counts.size === 0) return 'It writes nothing, and asks to be called at once: requeueAt must be later than now.';
    const lines = [...counts].map(([line, times]) => `${line} (${times} times)`);
    const changes = [...counts.keys()].flatMap((line) => this.#changesOf(line));
    const last =
      changes.length === 0 ? 'The last two of each are the same.' : `The last two differ: ${listed(changes, 5)}.`;
    return `Of late it wrote ${listed(lines, 5)}. ${last}`;
  }

  #changesOf(line: string): readonly string[] {
    const [before, after] = this.#bodies.get(line) ?? [];
    if (before === undefined || after === undefined) return [];
    return differencesOf(withoutVersion(before), withoutVersion(after), { one: 'at first', other: 'then' });
  }
}

function withoutVersion(body: object): object {
  const { metadata, ...rest } = body as { readonly metadata?: { readonly resourceVersion?: string } };
  const { resourceVersion: _, ...named } = metadata ?? {};
  return { ...rest, metadata: named };
}
