import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import { block, changeLines } from '../plan/print.ts';
import type { Adoption } from './adoption.ts';
import { printManifests } from '../manifests.ts';
import type { Release } from './release.ts';

/** An adoption as lines for a person. */
export function describeAdoption({ resource, moves, creates, left, restarts, obstacles }: Adoption): string {
  return block(resource, [
    ...moves.flatMap(({ object, from, fields }) => [
      `→ ${object}${from.length > 0 ? `, from ${from.join(', ')}` : ''}`,
      ...changeLines({ action: 'change', object, fields }).slice(1),
    ]),
    ...creates.map((object) => `+ create ${object}`),
    ...left.map((object) => `  ${object} is no part of it (any more) and stays as it is`),
    ...(restarts.length === 0 ? [] : [`Pods that restart: ${restarts.join(', ')}`]),
    ...obstacles.map(({ object, message }) => `! ${object}: ${message}`),
  ]);
}

/** A release as lines for a person. */
export function describeRelease({ resource, objects, differences, unfit }: Release): string {
  return block(resource, [
    ...objects.map((object) => `← ${object}`),
    ...(differences.length === 0 ? [] : ['A program with the same spec would change, unless the spec says what runs:']),
    ...differences.flatMap(({ object, fields }) => changeLines({ action: 'change', object, fields })),
    ...(unfit === undefined ? [] : [`A program can't have this spec: ${unfit}`]),
  ]);
}

/** How what was released is told to whom is to have it. */
export const RELEASE_FORMATS = {
  /** For `kubectl apply`. */
  yaml: ({ children }: Release) => printManifests(children.map(({ manifest }) => manifest)),
  /** For `pulumi import --file`: the resources that the component of `trunnion/pulumi` has. */
  pulumi: ({ children }: Release, kind: Kind, { metadata }: Resource) =>
    `${JSON.stringify(
      {
        resources: [
          { type: `trunnion:index:${kind.type.kind}`, name: metadata.name, component: true },
          ...children.map(({ id, manifest }) => ({
            type: `kubernetes:${manifest.apiVersion.includes('/') ? '' : 'core/'}${manifest.apiVersion}:${manifest.kind}`,
            name: `${metadata.name}-${id}`,
            id: `${manifest.metadata.namespace ?? ''}/${manifest.metadata.name}`,
            parent: metadata.name,
          })),
        ],
      },
      undefined,
      2,
    )}\n`,
} as const;
