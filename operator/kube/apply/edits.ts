import { isObject } from '../../../constructs/schema/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '../client/index.ts';
import { type FieldSet, isSame, placeOf } from './owned-fields.ts';

/** A field of an applied manifest that somebody else has changed since. */
export interface Edit {
  /** `spec.template.spec.containers[server].image` */
  readonly path: string;
  /** What it is now; undefined where it is gone. */
  readonly value: unknown;
  /** The field manager that holds it; undefined where it is gone: nobody holds it then. */
  readonly manager?: string;
}

/**
 * What others made of the fields of a manifest that was applied before: those that another manager holds at another value,
 * and those that are gone. A change by admission is none: the API server notes it for the manager whose request it was.
 *
 * @param isOurs - whether a field manager applies the manifest
 */
export function editsOf(live: KubeObject, manifest: object, isOurs: (manager: string) => boolean): readonly Edit[] {
  const others = (live.metadata.managedFields ?? []).filter((entry) => isAnother(entry, isOurs));
  const taken = others.flatMap(({ manager = '', fieldsV1 = {} }) =>
    takenOf({ fields: fieldsV1, wanted: manifest, value: live, path: '', manager }),
  );
  return [...taken, ...goneOf(manifest, live, '')];
}

/** A controller's status is not about what was applied. */
const isAnother = ({ manager = '', subresource }: ManagedFieldsEntry, isOurs: (manager: string) => boolean): boolean =>
  !isOurs(manager) && subresource !== 'status';

interface Held {
  readonly fields: FieldSet;
  readonly wanted: unknown;
  readonly value: unknown;
  readonly path: string;
  readonly manager: string;
}

/** Of the fields that a manager holds, those that are wanted otherwise. */
function takenOf({ fields, wanted, value, path, manager }: Held): readonly Edit[] {
  if (wanted === undefined || isSame(wanted, value)) return [];
  const names = Object.keys(fields).filter((name) => name !== '.');
  if (names.length === 0) return [{ path, value, manager }];
  return names.flatMap((name) => {
    const inner = { fields: (fields[name] ?? {}) as FieldSet, manager };
    if (name.startsWith('f:')) {
      const key = name.slice(2);
      return takenOf({ ...inner, wanted: memberOf(wanted, key), value: memberOf(value, key), path: under(path, key) });
    }
    if (!Array.isArray(wanted) || !Array.isArray(value)) return [{ path, value, manager }];
    const [there, here] = [placeOf(wanted, name), placeOf(value, name)];
    if (there < 0 || here < 0) return [];
    return takenOf({
      ...inner,
      wanted: wanted[there],
      value: value[here],
      path: itemUnder(path, wanted[there], there),
    });
  });
}

/** Fields of a manifest that a live object lacks; the server leaves out what is empty. */
function goneOf(wanted: unknown, value: unknown, path: string): readonly Edit[] {
  if (isSame(wanted, value)) return [];
  if (value === undefined || value === null) return [{ path, value: undefined }];
  if (isObject(wanted)) {
    return Object.entries(wanted).flatMap(([key, inner]) => goneOf(inner, memberOf(value, key), under(path, key)));
  }
  if (!Array.isArray(wanted) || !Array.isArray(value)) return [];
  return wanted.flatMap((item: unknown, place) => {
    const name = nameOf(item);
    return name === undefined
      ? []
      : goneOf(
          item,
          value.find((each) => nameOf(each) === name),
          itemUnder(path, item, place),
        );
  });
}

const memberOf = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** By this, people tell the items of most lists. */
function nameOf(item: unknown): string | undefined {
  const name = memberOf(item, 'name');
  return typeof name === 'string' ? name : undefined;
}

const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const itemUnder = (path: string, item: unknown, place: number): string => `${path}[${nameOf(item) ?? place}]`;
