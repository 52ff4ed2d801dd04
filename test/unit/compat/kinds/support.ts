import { readFileSync } from 'node:fs';
import { parseManifests } from '../../../../cli/manifests.ts';
import { packageFile } from '../../../../cli/package.ts';
import type { Manifest } from '../../../../constructs/index.ts';
import { withDefaults } from '../../../../constructs/schema/defaults.ts';
import type { Json } from '../../../../constructs/schema/json.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import type { Kind, Snapshot } from '../../../../operator/engine/api/kind.ts';
import type { Resource } from '../../../../operator/engine/api/resource.ts';
import {
  suggestTrials,
  type SuggestionInput,
} from '../../../../operator/kinds/distributed-training/tuning/suggestions.ts';
import { compatKind, translations } from '../../../../compat/kinds/index.ts';
import { COMPAT_SCHEMAS } from '../../../../compat/kinds/schemas.ts';
import { decided } from '../../../support/decided.ts';
import type { Decided } from '../../../support/decided.ts';

export const NOW = Date.parse('2026-01-01T00:00:00Z');

/** A resource as the API server would have it. */
export function stored({ apiVersion, kind, metadata, ...rest }: Manifest, more: Partial<Resource> = {}): Resource {
  const schema = COMPAT_SCHEMAS.find((each) => each.kind === kind)?.schema() ?? {};
  const { spec } = withDefaults(schema, { spec: rest['spec'] } as unknown as Json) as { readonly spec: unknown };
  return {
    apiVersion,
    kind,
    metadata: {
      uid: `uid-of-${metadata.name}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      namespace: 'default',
      ...metadata,
    },
    spec,
    ...more,
  };
}

/** The resources of a file of an earlier operator's users, by `Kind/name`. */
export const filed = (file: string): Readonly<Record<string, Resource>> =>
  Object.fromEntries(
    parseManifests(readFileSync(packageFile('examples', 'compat', file), 'utf8'), file).map((manifest) => [
      `${manifest.kind}/${manifest.metadata.name}`,
      stored(manifest),
    ]),
  );

/** One of them. */
export function fromFile(file: string, id: string): Resource {
  const resource = filed(file)[id];
  if (!resource) throw new Error(`${file} has no ${id}`);
  return resource;
}

export function kindOf(resource: Resource): Kind {
  const kind = translations.map(compatKind).find(({ type }) => type.kind === resource.kind);
  if (!kind) throw new Error(`nobody runs ${resource.kind}`);
  return kind;
}

/** What is decided for a resource with nothing around it but what a test says, once what it has computed is known. */
export function reconciled(resource: Resource, more: Partial<Snapshot> = {}): Decided<unknown, object> {
  const kind = kindOf(resource);
  const snapshot = { resource, children: [], pods: [], related: {}, answers: {}, failures: [], ...more };
  const { queries } = decided(kind, snapshot, NOW);
  const computed = queries.flatMap((query): (readonly [string, Answer])[] =>
    query.type === 'computation'
      ? [[query.id, { at: NOW, type: 'computed', value: suggestTrials(query.input as SuggestionInput) }]]
      : [],
  );
  return decided(kind, { ...snapshot, answers: { ...Object.fromEntries(computed), ...snapshot.answers } }, NOW);
}

/** The children that it leads to. */
export const rendered = (resource: Resource, more: Partial<Snapshot> = {}) =>
  kindOf(resource).render(resource, reconciled(resource, more).state);
