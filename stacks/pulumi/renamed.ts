import type * as pulumi from '@pulumi/pulumi';

/**
 * What to tell the user of a workload that has got another logical name, and no name of its own: its objects are named
 * after that, and no alias keeps an object whose name changes.
 *
 * @returns nothing where no alias tells of another logical name
 */
export function renamed(
  kind: string,
  logicalName: string,
  aliases: pulumi.ComponentResourceOptions['aliases'],
): readonly string[] {
  if (!Array.isArray(aliases)) return [];
  const earlier = (aliases as readonly unknown[])
    .map(nameIn)
    .find((name) => name !== undefined && name !== logicalName);
  if (earlier === undefined) return [];
  return [
    `name: left out, so the objects of ${kind} ${logicalName} are named after its new logical name, and all are created again, volumes included; to keep those of ${earlier}, give name: '${earlier}'`,
  ];
}

/** The logical name in an alias, where it is plain: that of an object, or the end of a URN. */
function nameIn(alias: unknown): string | undefined {
  if (typeof alias === 'string') return alias.split('::').at(-1);
  const name: unknown = (alias as { readonly name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}
