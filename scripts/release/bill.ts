/** A bill of materials as `npm sbom` writes it, as far as it is read here. */
export interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
  readonly [field: string]: unknown;
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties?: unknown;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** A package-lock.json, as far as it is read here: packages by their folders, the repository's own by ''. */
export interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dependencies?: Readonly<Record<string, string>> }>
  >;
}

/**
 * A bill with what runs alone. `npm sbom --omit dev` leaves out what a tool for developers needs too, so it is followed
 * from the dependencies themselves.
 *
 * @param lock - package-lock.json, which has the exact versions of the dependencies
 */
export function runtimeBill(bill: Bill, lock: Lock): Bill {
  const root = bill.metadata.component['bom-ref'];
  const direct = Object.keys(lock.packages['']?.dependencies ?? {}).map(
    (name) => `${name}@${lock.packages[`node_modules/${name}`]?.version}`,
  );
  const edges = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set(direct);
  for (const ref of reached) for (const next of edges.get(ref) ?? []) reached.add(next);
  return {
    ...bill,
    components: bill.components
      .filter((component) => reached.has(component['bom-ref']))
      // It tells which of several copies in the folder of developers was seen first.
      .map(({ properties: _properties, ...component }) => component),
    dependencies: bill.dependencies
      .filter(({ ref }) => ref === root || reached.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: ref === root ? direct : dependsOn })),
  };
}
