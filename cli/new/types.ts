/** A file of a project, by its path in it. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** The versions of what a project depends on, as its package.json has them. */
export interface Versions {
  readonly cdk8s: string;
  readonly constructs: string;
  readonly operator: string;
  readonly zod: string;
}
