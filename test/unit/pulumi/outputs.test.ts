import * as pulumi from '@pulumi/pulumi';
import { describe, expect, test } from 'vitest';
import { AgentService, ModelServing, text } from '../../../stacks/pulumi/index.ts';
import { placesOf } from '../../support/places.ts';
import { shared, single } from '../model-serving/support/specs.ts';
import { deployed, inputsOf, later, secret, UNKNOWN } from './support/engine.ts';

const unknown = (value: unknown) => value === UNKNOWN;
const isSecret = (value: unknown) => typeof value === 'object' && value !== null && '<secret>' in value;
const fromBucket = (bucket: pulumi.Input<string>) => ({
  ...shared,
  model: { uri: text`s3://${bucket}/llama/`, credentials: { secretName: 's3-reader' } },
});

describe('a preview', () => {
  test('knows all but what an unknown text makes', async () => {
    const env = () => [{ name: 'TEAM', value: later('research') }];
    const found = await deployed(
      () => new ModelServing('llama', { namespace: 'models', spec: { ...single, env: env() } }),
      {
        preview: true,
      },
    );
    expect(placesOf(inputsOf(found), unknown)).toEqual([
      expect.stringMatching(/^llama-deployment\.spec\.template\.spec\.containers\.0\.env\.\d+\.value$/),
      expect.stringMatching(/^llama-deployment\.spec\.template\.spec\.initContainers\.0\.env\.\d+\.value$/),
    ]);
  });

  test('knows which objects there are though the names of some are hashes of what is unknown', async () => {
    const found = await deployed(
      () => new ModelServing('llama', { namespace: 'models', spec: fromBucket(later('bucket')) }),
      {
        preview: true,
      },
    );
    const plain = await deployed(() => new ModelServing('llama', { namespace: 'models', spec: fromBucket('bucket') }));
    expect(Object.keys(inputsOf(found))).toEqual(Object.keys(inputsOf(plain)));
    expect(placesOf(inputsOf(found), unknown)).toEqual(
      expect.arrayContaining(['llama-fetch.metadata.name', 'llama-weights.metadata.name']),
    );
    expect(placesOf(inputsOf(found), unknown)).not.toContain('llama-deployment.metadata.name');
  });

  test('keeps the parts of two unknown texts apart', async () => {
    const found = await deployed(
      () =>
        new ModelServing('llama', {
          namespace: later('models'),
          spec: { ...single, priorityClassName: later('high') },
        }),
      { preview: true },
    );
    expect(found.outputs).toMatchObject([{ endpoint: UNKNOWN, servedName: 'llama', names: { deployment: 'llama' } }]);
    expect(placesOf(inputsOf(found), unknown).filter((place) => !place.endsWith('metadata.namespace'))).toEqual([
      'llama-deployment.spec.template.spec.priorityClassName',
    ]);
  });
});

describe('what is made of an Output', () => {
  test('is made of its text once that is known: names by hash, part of a text, an amount in canonical form', async () => {
    const withOutputs = await deployed(() => {
      const spec = { ...fromBucket(later('bucket')), storage: { ...shared.storage, size: later('0.5Ti') } };
      return new ModelServing('llama', { name: later('served'), namespace: later('models'), spec });
    });
    const plain = await deployed(() => {
      const spec = { ...fromBucket('bucket'), storage: { ...shared.storage, size: '0.5Ti' } };
      return new ModelServing('llama', { name: 'served', namespace: 'models', spec });
    });
    expect(inputsOf(withOutputs)).toEqual(inputsOf(plain));
    expect(withOutputs.outputs).toEqual(plain.outputs);
  });

  test('may be a promise, or depend on several', async () => {
    const found = await deployed(() => {
      const url = text`http://${later('search')}.${Promise.resolve('tools')}.svc:8080/mcp`;
      const spec = { image: Promise.resolve('agent:1'), model: 'gpt-4o', mcpServers: [{ name: 'search', url }] };
      return new AgentService('agent', { namespace: 'agents', spec });
    });
    expect(JSON.stringify(inputsOf(found))).toContain('http://search.tools.svc:8080/mcp');
    expect(JSON.stringify(inputsOf(found)['agent-network-policy'])).toContain('"kubernetes.io/metadata.name":"tools"');
  });

  test('is secret where the text is, and nothing else is', async () => {
    const value = pulumi.secret('hush');
    const found = await deployed(
      () => new ModelServing('llama', { namespace: 'models', spec: { ...single, env: [{ name: 'KEY', value }] } }),
    );
    const places = placesOf(inputsOf(found), isSecret);
    const inEnv = expect.stringMatching(/^llama-deployment\..*\.env\.\d+\.value$/);
    expect(places).toEqual([inEnv, inEnv]);
    const sent = JSON.stringify(inputsOf(found));
    expect(sent.split(JSON.stringify(secret('hush')))).toHaveLength(sent.split('hush').length);
  });

  test('is never shown by its placeholder, not even in a warning', async () => {
    const { warnings } = await deployed(
      () => new AgentService('agent', { namespace: 'agents', spec: { image: 'agent:1', model: later('gpt-4o') } }),
    );
    expect(warnings).toEqual([expect.stringContaining("can't reach the API of [output]")]);
  });
});
