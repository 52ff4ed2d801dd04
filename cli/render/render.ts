import { Makers } from '../../constructs/makers.ts';
import { SpecError } from '../../constructs/schema/error.ts';
import type { Manifest, RenderedChild } from '../../constructs/workload.ts';
import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import { allKinds } from '../kinds.ts';
import { refusedInWords } from '../annotations.ts';
import { CliError } from '../errors.ts';
import { type KnownResource, resourcesOf, toResource } from '../resources.ts';
import { resolve } from './references.ts';

/** A resource and the objects that it turns into. */
export interface Rendered extends KnownResource {
  readonly children: readonly RenderedChild[];
}

interface Reading {
  /** Of resources that name none. */
  readonly namespace: string;
  /** The name of the file. */
  readonly source: string;
  /**
   * The kinds that are taken.
   *
   * @default - ours
   */
  readonly among?: readonly Kind[];
  /** Is told what is passed over, and what is left out. */
  readonly log: (line: string) => void;
  /**
   * Whether objects of other kinds are printed as they are.
   *
   * @default false
   */
  readonly keepsOthers?: boolean;
}

/** What is done about a reference that leads nowhere. */
const LEFT_OUT = 'What follows from it is left out; trunnion plan would look for it in the cluster.';

/**
 * What the constructs give for the resources of a file, with no cluster asked.
 *
 * @throws CliError with all that is wrong with all specs
 */
export function render(manifests: readonly Manifest[], reading: Reading): readonly Rendered[] {
  const { namespace, source, log, among = allKinds, keepsOthers = false } = reading;
  const known = resourcesOf(manifests, { namespace, source, log, among, keepsOthers });
  const all = manifests.map((manifest) => toResource(manifest, namespace));
  // All problems of specs are told before what refers to one of them is looked up.
  check(known);
  const rendered = known.map((each) => {
    const { kind, resource } = each;
    const { state, missing } = resolve(each, all, source === '-' ? 'standard input' : source);
    for (const words of missing) log(`${kind.type.kind} ${resource.metadata.name}: ${words} ${LEFT_OUT}`);
    for (const words of refusedInWords(resource)) log(`${kind.type.kind} ${resource.metadata.name}: ${words}`);
    const children = kind.render(resource, state);
    if (children.length === 0) log(`${kind.type.kind} ${resource.metadata.name}: ${whyNothing(resource)}`);
    return { ...each, children };
  });
  refuseClashes(rendered, keepsOthers ? othersOf(manifests, rendered, namespace) : []);
  return rendered;
}

/** Nothing is what a broken command prints as well: so it is told that there is nothing, and why. */
const whyNothing = ({ spec }: Resource): string =>
  typeof spec === 'object' && spec !== null && 'tuning' in spec
    ? 'spec.tuning: a search has no objects of its own; the operator makes those of each trial once it has chosen its values. ' +
      'trunnion plan shows the first trials, and without spec.tuning the objects of one training are rendered.'
    : 'It turns into no object.';

/** The objects that are printed as they are, in the namespace in which they would be applied. */
const othersOf = (manifests: readonly Manifest[], rendered: readonly Rendered[], namespace: string) => {
  const known = new Set(rendered.map(({ manifest }) => manifest));
  return manifests
    .filter((manifest) => !known.has(manifest))
    .map((manifest) => ({ ...manifest, metadata: { namespace, ...manifest.metadata } }));
};

/** Anyone who applies the objects of all resources together would have one of them take the place of another. */
function refuseClashes(rendered: readonly Rendered[], others: readonly Manifest[]): void {
  const makers = new Makers();
  for (const other of others) makers.note('the input itself', other);
  const clashes = rendered.flatMap(({ kind, resource, children }) =>
    children.flatMap(({ manifest }) => makers.note(`${kind.type.kind} ${resource.metadata.name}`, manifest) ?? []),
  );
  if (clashes.length > 0) throw new CliError(clashes.join('\n'));
}

function check(known: readonly KnownResource[]): void {
  const problems = known.flatMap(({ kind, resource }) => {
    try {
      kind.render(resource, {});
      return [];
    } catch (error) {
      if (error instanceof SpecError) return [error.message];
      throw error;
    }
  });
  if (problems.length > 0) throw new CliError(problems.join('\n'));
}
