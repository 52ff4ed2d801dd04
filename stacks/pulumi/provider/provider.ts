import * as pulumi from '@pulumi/pulumi';
import type { Problem } from '../../../constructs/index.ts';
import { similarTo } from '../../../constructs/parts/values/index.ts';
import { AgentService, type AgentServiceArgs } from '../agent-service.ts';
import type { WorkloadOptions } from '../component.ts';
import { DistributedTraining, type DistributedTrainingArgs } from '../distributed-training.ts';
import { inputErrors } from '../errors.ts';
import { ModelServing, type ModelServingArgs } from '../model-serving.ts';
import { inputsOf } from './components.ts';
import { givenOptions } from './options.ts';
import { packageSchema } from './schema.ts';
import { settled } from './settled.ts';
import { PACKAGE } from './types.ts';

/** Arguments that have the inputs of a component, and no others; what is in them the component checks. */
type Args = Readonly<Record<string, unknown>>;

/** How each component is made, and what it tells of itself. */
const MAKERS: Readonly<
  Record<string, (name: string, args: Args, opts: WorkloadOptions) => pulumi.provider.ConstructResult>
> = {
  ModelServing: (name, args, opts) => {
    const { urn, endpoint, servedName, source, names } = new ModelServing(
      name,
      args as unknown as ModelServingArgs,
      opts,
    );
    return { urn, state: { endpoint, servedName, source, names } };
  },
  AgentService: (name, args, opts) => {
    const { urn, endpoint, names } = new AgentService(name, args as unknown as AgentServiceArgs, opts);
    return { urn, state: { endpoint, names } };
  },
  DistributedTraining: (name, args, opts) => {
    const { urn, master, names } = new DistributedTraining(name, args as unknown as DistributedTrainingArgs, opts);
    return { urn, state: { master, names } };
  },
};

/** Serves the components to programs of all languages. */
export class ComponentProvider implements pulumi.provider.Provider {
  readonly version: string;

  /** @param version - of this package */
  constructor(version: string) {
    this.version = version;
  }

  /** Made when it is asked for: to create a component takes no schema. */
  async getSchema(): Promise<string> {
    return JSON.stringify(packageSchema(this.version));
  }

  /** @throws pulumi.InputPropertiesError with all that is wrong with the inputs at once */
  async construct(
    name: string,
    type: string,
    inputs: pulumi.Inputs,
    options: pulumi.ComponentResourceOptions,
  ): Promise<pulumi.provider.ConstructResult> {
    const kind = type.startsWith(`${PACKAGE}:index:`) ? type.slice(`${PACKAGE}:index:`.length) : '';
    const make = Object.hasOwn(MAKERS, kind) ? MAKERS[kind] : undefined;
    if (make === undefined) {
      const types = Object.keys(MAKERS).map((each) => `${PACKAGE}:index:${each}`);
      throw new Error(`${type} is no component of ${PACKAGE}: there are ${types.join(', ')}`);
    }
    const { value, dependencies } = await settled(inputs);
    const { via, ...args } = checked(`${kind} ${name}`, kind, value as Args);
    return make(name, args, {
      ...givenOptions(options, dependencies),
      ...(via !== undefined && { via: via as NonNullable<WorkloadOptions['via']> }),
    });
  }
}

/** The inputs, once their names and what a component takes for granted are right: not every language knows types. */
function checked(subject: string, kind: string, inputs: Args): Args {
  const names = inputsOf(kind) ?? [];
  const others = Object.keys(inputs).filter((name) => !names.includes(name));
  const { namespace, spec, via } = inputs;
  const problems: readonly Problem[] = [
    ...others.map((name) => unknownInput(name, names)),
    ...(namespace === undefined || namespace === null ? [{ path: 'namespace', message: 'is required' }] : []),
    ...(isRecord(spec) ? [] : [{ path: 'spec', message: 'must be an object that a preview knows' }]),
    ...(via === undefined || via === 'pulumi' || via === 'operator'
      ? []
      : [{ path: 'via', message: "must be 'pulumi' or 'operator', and known in a preview" }]),
  ];
  if (problems.length > 0) throw inputErrors(subject, problems);
  return inputs;
}

function unknownInput(name: string, names: readonly string[]): Problem {
  const similar = similarTo(name, names);
  const advice = similar === undefined ? `there are ${names.join(', ')}` : `did you mean ${similar}?`;
  return { path: name, message: `is no input of this component; ${advice}` };
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !pulumi.Output.isInstance(value);
