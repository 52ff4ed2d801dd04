import { KINDS } from '../../../constructs/kinds.ts';
import { components, VIA, type ComponentShape } from './components.ts';
import { namedTypes, PACKAGE, refTo, type NamedType, type ObjectType, type PropertySpec } from './types.ts';

/** What a package is to Pulumi: see `PackageSpec` in pulumi/pulumi v3.258.0, pkg/codegen/schema/schema.go. */
export interface PackageSchema {
  readonly name: string;
  readonly version: string;
  readonly types: Readonly<Record<string, NamedType>>;
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly [field: string]: unknown;
}

/** A component as other languages see it. */
export interface ResourceSchema extends ObjectType {
  readonly isComponent: true;
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
}

/** Makes the languages ask for the plugin in the version of their SDK. */
const LANGUAGES = ['nodejs', 'python', 'go', 'csharp', 'java'] as const;

/**
 * The package schema of all components, from the schemas of the kinds. It tells of no dependency: no type is of another
 * package, the engine installs the Kubernetes provider once a component asks for it, and an SDK needs none.
 */
export function packageSchema(version: string): PackageSchema {
  const specs = KINDS.map((kind) => ({ kind: kind.kind, spec: kind.schema().properties?.['spec'] ?? {} }));
  const made = components(specs, namedTypes(specs));
  return {
    name: PACKAGE,
    displayName: 'Trunnion',
    version,
    description: 'AI workloads on Kubernetes: models, agents and trainings, each as a component.',
    keywords: ['ai', 'kubernetes', 'kind/component', 'category/infrastructure'],
    license: 'Apache-2.0',
    language: Object.fromEntries(LANGUAGES.map((language) => [language, settings(language)])),
    types: { ...tokens(made.types), ...tokens(new Map([['Via', VIA]])) },
    resources: tokens(new Map(made.shapes.map((shape) => [shape.kind, resourceOf(shape)]))),
  };
}

/** Go has no central place for packages: its SDK is local, and needs a path of its own. */
const settings = (language: (typeof LANGUAGES)[number]): object => ({
  respectSchemaVersion: true,
  ...(language === 'python' && { pyproject: { enabled: true } }),
  ...(language === 'go' && { importBasePath: 'trunnion.dev/pulumi-trunnion/sdk/go/trunnion' }),
  ...(language === 'nodejs' && { packageName: 'trunnion-pulumi-sdk' }),
});

const resourceOf = ({ kind, description, inputs, required, outputs }: ComponentShape): ResourceSchema => ({
  type: 'object',
  isComponent: true,
  description,
  inputProperties: { ...inputs, spec: { ...refTo(`${kind}Spec`), description: 'What to run.' } },
  requiredInputs: [...required, 'spec'],
  properties: outputs,
  required: Object.keys(outputs),
});

const tokens = <T>(named: ReadonlyMap<string, T>): Readonly<Record<string, T>> =>
  Object.fromEntries([...named].map(([name, value]) => [`${PACKAGE}:index:${name}`, value]));
