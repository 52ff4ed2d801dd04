import type { PodTemplatePatch } from '../parts/pod/index.ts';

/** The container that serves. */
export const SERVER = 'server';

type ContainerPatch = NonNullable<NonNullable<PodTemplatePatch['spec']>['containers']>[number];

/** What the user says of the container that serves by `podTemplate`. */
export const serverPatchOf = ({
  podTemplate,
}: {
  readonly podTemplate?: PodTemplatePatch | undefined;
}): ContainerPatch | undefined => podTemplate?.spec?.containers?.find(({ name }) => name === SERVER);
