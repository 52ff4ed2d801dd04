/** What the components take and give in every language. */
import { refTo, type NamedType, type ObjectType, type PropertySpec } from './types.ts';
import type { Placed } from './shapes.ts';

/** A component, but for its spec, which follows from the schema of its kind. */
export interface ComponentShape {
  readonly kind: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
  readonly outputs: Readonly<Record<string, PropertySpec>>;
}

/** Who makes the objects. */
export const VIA: NamedType = {
  type: 'string',
  enum: [
    { name: 'Pulumi', value: 'pulumi' },
    { name: 'Operator', value: 'operator' },
  ],
};

const text = (description: string): PropertySpec => ({ type: 'string', description });

const INPUTS: ComponentShape['inputs'] = {
  name: text('The name of the resource. Names of all objects come from it. Default: the logical name.'),
  namespace: text('The namespace of all objects, which must exist.'),
  via: {
    ...refTo('Via'),
    plain: true,
    description:
      'Who makes the objects: pulumi, each as a resource of its own, or operator, from the custom resource, which is all that Pulumi makes then. Default: pulumi.',
  },
};

const NAMES: PropertySpec = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'The names of all objects that Pulumi makes, by what they are to the workload: deployment, weights.',
};

/** What an agent has to know of the model that it asks. */
const MODEL_SOURCE: ObjectType = {
  type: 'object',
  description: 'What serves a model: the output `source` of a ModelServing.',
  properties: {
    name: text('The name of the ModelServing.'),
    namespace: text('Its namespace.'),
    endpoint: text('The base URL that clients inside the cluster use.'),
    servedName: text('The name that clients ask for.'),
    selector: { type: 'object', additionalProperties: { type: 'string' }, description: 'The labels of its pods.' },
    port: { type: 'integer', description: 'The port of its pods.' },
  },
  required: ['name', 'namespace', 'endpoint', 'servedName', 'selector', 'port'],
};

const SHAPES: readonly ComponentShape[] = [
  {
    kind: 'ModelServing',
    description: 'Serves one model: fetches its weights, runs an engine on them, scales it and exposes it.',
    inputs: INPUTS,
    required: ['namespace'],
    outputs: {
      endpoint: text('The base URL that clients inside the cluster use: http://llama.models.svc:8000/v1.'),
      servedName: text('The name that clients ask for: `model` of an OpenAI request.'),
      source: { ...refTo('ModelSource'), description: 'What an AgentService takes as `model` of its spec.' },
      names: NAMES,
    },
  },
  {
    kind: 'AgentService',
    description:
      'Runs an agent: any image that listens on port 8000. It is told its model, tools and MCP servers, is scaled by its load and exposed.',
    inputs: INPUTS,
    required: ['namespace'],
    outputs: {
      endpoint: text('Where clients inside the cluster ask: http://support-agent.agents.svc.'),
      names: NAMES,
    },
  },
  {
    kind: 'DistributedTraining',
    description:
      'Trains on many pods: a Job for each role, a name for each rank, and all that ranks need to find each other.',
    inputs: {
      ...INPUTS,
      awaitEnd: {
        type: 'boolean',
        plain: true,
        description: 'Whether `pulumi up` ends only once the training has, and fails where that does. Default: false.',
      },
    },
    required: ['namespace'],
    outputs: {
      master: text('The host of the first rank, or of the role that stands apart: MASTER_ADDR.'),
      names: NAMES,
    },
  },
];

/** The components of these kinds, with all types that they need. */
export function components(
  kinds: readonly Placed[],
  types: ReadonlyMap<string, NamedType>,
): { readonly shapes: readonly ComponentShape[]; readonly types: ReadonlyMap<string, NamedType> } {
  const missing = kinds.filter(({ kind }) => !SHAPES.some((shape) => shape.kind === kind));
  if (missing.length > 0) throw new Error(`no component for ${missing.map(({ kind }) => kind).join(', ')}`);
  const agent = types.get('AgentServiceSpec') as ObjectType;
  const model: PropertySpec = {
    oneOf: [{ type: 'string' }, refTo('ModelSource')],
    description: `${agent.properties['model']?.description ?? ''} Or the output \`source\` of a ModelServing of the same namespace.`,
  };
  return {
    shapes: SHAPES,
    types: new Map<string, NamedType>([
      ...types,
      ['AgentServiceSpec', { ...agent, properties: { ...agent.properties, model } }],
      ['ModelSource', MODEL_SOURCE],
    ]),
  };
}

/** The inputs of a component by their names, its spec among them; undefined where there is no such component. */
export const inputsOf = (kind: string): readonly string[] | undefined => {
  const shape = SHAPES.find((each) => each.kind === kind);
  return shape && [...Object.keys(shape.inputs), 'spec'];
};
