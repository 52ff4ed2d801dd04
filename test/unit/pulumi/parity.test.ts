import * as pulumi from '@pulumi/pulumi';
import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as constructs from '../../../constructs/index.ts';
import type { Workload } from '../../../constructs/index.ts';
import { AgentService, DistributedTraining, ModelServing } from '../../../stacks/pulumi/index.ts';
import { merged, type Merged } from '../../../stacks/pulumi/rendering.ts';
import { agentServiceArbitrary } from '../../support/arbitrary-agent-service.ts';
import { distributedTrainingArbitrary } from '../../support/arbitrary-distributed-training.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { deployed, inputsOf } from './support/engine.ts';

const PLACE = { name: 'some', namespace: 'models' } as const;
const scope = () => new Chart(new App(), 'chart');

const byCdk8s = (workload: Workload) =>
  Object.fromEntries(workload.render().map(({ id, manifest }) => [`some-${id}`, manifest]));

describe('the same objects as with cdk8s', () => {
  test('for every ModelServing, but for what its provider reads', async () => {
    await fc.assert(
      fc.asyncProperty(modelServingArbitrary, async (spec) => {
        const found = await deployed(() => new ModelServing('some', { namespace: 'models', spec }));
        const workload = new constructs.ModelServing(scope(), 'id', { ...PLACE, spec });
        expect(withoutSign(inputsOf(found))).toEqual(byCdk8s(workload));
      }),
      { numRuns: 25 },
    );
  });

  test('for every AgentService, but for what its provider reads', async () => {
    await fc.assert(
      fc.asyncProperty(agentServiceArbitrary, async (spec) => {
        const found = await deployed(() => new AgentService('some', { namespace: 'models', spec }));
        const workload = new constructs.AgentService(scope(), 'id', { ...PLACE, spec });
        expect(withoutSign(inputsOf(found))).toEqual(byCdk8s(workload));
      }),
      { numRuns: 25 },
    );
  });

  test('for every DistributedTraining, but for what its provider reads', async () => {
    await fc.assert(
      fc.asyncProperty(distributedTrainingArbitrary, async (spec) => {
        const found = await deployed(() => new DistributedTraining('some', { namespace: 'models', spec }));
        const workload = new constructs.DistributedTraining(scope(), 'id', { ...PLACE, spec });
        expect(withoutSign(inputsOf(found))).toEqual(byCdk8s(workload));
      }),
      { numRuns: 25 },
    );
  });
});

/** The manifests without the annotations that are for Pulumi's provider alone. */
const withoutSign = (manifests: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(
    JSON.stringify(manifests, (key, value: Readonly<Record<string, unknown>>) => {
      if (key !== 'annotations') return value;
      const others = Object.entries(value).filter(([name]) => !name.startsWith('pulumi.com/'));
      return others.length > 0 ? Object.fromEntries(others) : undefined;
    }),
  );

test('an Output instead of a text makes the same objects', async () => {
  await fc.assert(
    fc.asyncProperty(modelServingArbitrary, fc.nat(), async (spec, choice) => {
      const texts = pathsOfTexts(spec).filter(isFree);
      const path = texts[choice % texts.length];
      fc.pre(path !== undefined);
      const { children } = renderedWith(replaced(spec, path, (text) => pulumi.output(text)));
      const manifests = Object.fromEntries(children.map(({ id, manifest }) => [`some-${id}`, manifest]));
      const known = await (pulumi.output(manifests) as unknown as { promise(): Promise<unknown> }).promise();
      expect(known).toEqual(byCdk8s(new constructs.ModelServing(scope(), 'id', { ...PLACE, spec })));
    }),
    { numRuns: 60 },
  );
});

/** Fields whose text decides nothing else, or only what is rendered again with it. A new field need not be here. */
const FREE = new Set([
  'args',
  'cidr',
  'cpu',
  'example.com/note',
  'example.com/team',
  'gpuProduct',
  'healthPath',
  'host',
  'hostname',
  'image',
  'memory',
  'priorityClassName',
  'runtimeClassName',
  'secretName',
  'size',
  'storageClassName',
  'successor',
]);

const isFree = (at: Path): boolean => FREE.has(String(at.findLast((step) => typeof step === 'string')));

const renderedWith = (spec: unknown): Merged =>
  merged<constructs.ModelServingSpecInput>('ModelServing some', { metadata: PLACE, spec }, ({ metadata, spec }) => ({
    children: new constructs.ModelServing(scope(), 'id', { ...metadata, spec }).render(),
    outputs: {},
    referred: null,
    warnings: [],
  }));

type Path = readonly (string | number)[];

function pathsOfTexts(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    pathsOfTexts(child, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

function replaced(value: unknown, [key, ...rest]: Path, change: (text: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, change) : item));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: replaced(fields[key], rest, change) };
}
