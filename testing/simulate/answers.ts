import { isDeepStrictEqual } from 'node:util';
import type { Answer, Query, Resource } from '../../operator/engine/api/index.ts';

/** Finds out what a resource asks; undefined where nobody knows yet. */
export type Find = (query: Query, about: Resource) => Promise<Answer | undefined>;

/** What one resource asks, and what is known of that. The engine's resolver asks again at intervals; here it is at each turn. */
export class Answers {
  readonly #find: Find;
  #wanted: readonly Query[] = [];
  #about: Resource | undefined;
  readonly #known = new Map<string, Answer>();

  constructor(find: Find) {
    this.#find = find;
  }

  /** What it asks now. */
  get wanted(): readonly Query[] {
    return this.#wanted;
  }

  /** The ids of what is asked, and not known. */
  get open(): readonly string[] {
    return this.#wanted.map(({ id }) => id).filter((id) => !this.#known.has(id));
  }

  of(_key: string): Readonly<Record<string, Answer>> {
    return Object.fromEntries(this.#known);
  }

  want(_key: string, queries: readonly Query[], about: Resource): void {
    const before = new Map(this.#wanted.map((query) => [query.id, query]));
    const isSame = (query: Query): boolean => isDeepStrictEqual(before.get(query.id), query);
    const kept = new Set(queries.filter(isSame).map(({ id }) => id));
    for (const id of this.#known.keys()) if (!kept.has(id)) this.#known.delete(id);
    this.#wanted = queries;
    this.#about = about;
  }

  forget(): void {
    this.#wanted = [];
    this.#known.clear();
  }

  /** Looks everything up. @returns whether anything is known that was not known before */
  async lookUp(): Promise<boolean> {
    const about = this.#about;
    let isNews = false;
    for (const query of about === undefined ? [] : this.#wanted) {
      const answer = about && (await this.#find(query, about));
      const before = this.#known.get(query.id);
      if (answer === undefined || isDeepStrictEqual({ ...before, at: 0 }, { ...answer, at: 0 })) continue;
      this.#known.set(query.id, answer);
      isNews = true;
    }
    return isNews;
  }
}
