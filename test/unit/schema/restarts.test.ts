import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { SpecError, type RenderedChild } from '../../../constructs/index.ts';
import { restartNoteOf } from '../../../constructs/schema/restarts.ts';
import type { JsonObject } from '../../../constructs/schema/json.ts';
import { mutationsOfProperty, propertiesOfSubject, type Mutation } from '../../mutations/mutations.ts';
import { subjects } from '../../mutations/subjects/index.ts';
import type { Subject } from '../../mutations/subjects/subject.ts';

/** What the operator tells a training's pods by: that its spec makes others. */
const TEMPLATE_HASH = 'trunnion.dev/template';

const SERVING: ReadonlySet<string> = new Set(['Deployment', 'LeaderWorkerSet']);

/** What, of each child with pods, may not change without a restart. The Job of a fetch is no server. */
const podsOf = (children: readonly RenderedChild[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    children
      .filter(({ id, manifest }) => SERVING.has(manifest.kind) || (manifest.kind === 'Job' && id !== 'fetch'))
      .map(({ id, manifest }) => [
        id,
        {
          template:
            (manifest['spec'] as JsonObject)['template'] ?? (manifest['spec'] as JsonObject)['leaderWorkerTemplate'],
          hash: manifest.metadata.annotations?.[TEMPLATE_HASH],
        },
      ]),
  );

/** Whether changes of a subject's specs restart pods. What they start from is rendered once. */
class Changed {
  readonly #subject: Subject;
  readonly #before = new Map<string, Readonly<Record<string, unknown>> | undefined>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** undefined where a change is none, or is refused. A pod that comes or goes is not restarted. */
  restarts({ home, of }: Mutation): boolean | undefined {
    const first = this.#subject.homes[home] ?? {};
    const spec = of(first);
    if (!this.#before.has(home)) this.#before.set(home, this.#podsBy(first));
    const before = this.#before.get(home);
    const after = isDeepStrictEqual(spec, first) ? undefined : this.#podsBy(spec);
    if (before === undefined || after === undefined) return undefined;
    return Object.keys(before).some((id) => id in after && !isDeepStrictEqual(before[id], after[id]));
  }

  /** undefined where a spec is refused. */
  #podsBy(spec: JsonObject): Readonly<Record<string, unknown>> | undefined {
    const name = (spec as { readonly modelRef?: { readonly name?: unknown } | null }).modelRef?.name;
    try {
      const state = typeof name === 'string' ? { model: modelFound(name) } : {};
      return podsOf(this.#subject.render('some', 'here', spec, state));
    } catch (error) {
      if (error instanceof SpecError) return undefined;
      throw error;
    }
  }
}

/** What the operator knows of a model that an agent refers to. */
const modelFound = (name: string) => ({
  name,
  baseUrl: `http://${name}.here.svc:8000/v1`,
  port: 8000,
  selector: {},
});

describe.for(subjects)('a change of a $kind.kind', (subject) => {
  const { restarts: notes = {} } = subject.kind;
  const properties = propertiesOfSubject(subject);
  const changed = new Changed(subject);
  const noted = (path: string) => properties.filter((property) => restartNoteOf(notes, property.path) === notes[path]);

  test('restarts pods or not, as a note says for every field', () => {
    const paths = properties.map(({ path }) => path);
    const unnoted = paths.filter((path) => restartNoteOf(notes, path) === undefined);
    expect(
      unnoted,
      'add these to constructs/KIND/restarts.ts, or to constructs/parts/objects/restarts.ts, as all pods have',
    ).toEqual([]);
    const gone = Object.keys(notes).filter((path) => !paths.includes(path));
    expect(gone, 'these notes are about fields that do not exist').toEqual([]);
  });

  test.for(Object.entries(notes).filter(([, note]) => !note.restarts))('of %s restarts no pods', ([path]) => {
    const tried = noted(path)
      .flatMap((property) => mutationsOfProperty(subject, property))
      .map((mutation) => [`${mutation.name} (${mutation.home})`, changed.restarts(mutation)] as const)
      .filter(([, restarted]) => restarted !== undefined);
    expect(tried.filter(([, restarted]) => restarted)).toEqual([]);
    expect(tried.length).toBeGreaterThan(0);
  });

  test.for(Object.entries(notes).filter(([, note]) => note.restarts))('of %s may restart pods', ([path]) => {
    const restarting = noted(path).some((property) =>
      mutationsOfProperty(subject, property).some((mutation) => changed.restarts(mutation) === true),
    );
    expect(restarting).toBe(true);
  });
});
