import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ModelServing } from '../../../constructs/index.ts';
import type { Manifest } from '../../../constructs/index.ts';
import { warningsBelow } from '../../../stacks/cdk8s/warnings.ts';
import { run, type Ended } from '../../support/run.ts';
import { scaled, single } from '../model-serving/support/specs.ts';

const manifestsIn = (yaml: string): readonly Manifest[] =>
  parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);

const titlesOf = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ kind, metadata: { name } }) => `${kind}/${name}`);

describe('cdk8s synth on the example app', () => {
  let output: string;
  let ended: Ended;

  beforeAll(async () => {
    output = await mkdtemp(join(tmpdir(), 'trunnion-synth-'));
    ended = await run('node_modules/.bin/cdk8s', ['synth', '--output', output, '--check-upgrade=false']);
  }, 60_000);
  afterAll(() => rm(output, { recursive: true, force: true }));

  const printed = async (file: string) => titlesOf(manifestsIn(await readFile(join(output, file), 'utf8')));

  test('prints the manifests of each chart, each after what it waits for', async () => {
    expect(ended.code).toBe(0);
    expect((await readdir(output)).toSorted()).toEqual(['models.k8s.yaml', 'trainings.k8s.yaml']);
    expect(await printed('trainings.k8s.yaml')).toEqual([
      'Namespace/training',
      'ServiceAccount/resnet',
      'Service/resnet',
      'NetworkPolicy/resnet',
      'Job/resnet-1',
      'PodDisruptionBudget/resnet-attempt-1',
    ]);
    expect(await printed('models.k8s.yaml')).toEqual([
      'Namespace/models',
      'ServiceAccount/llama-3-8b',
      'ConfigMap/llama-3-8b-fetcher',
      'NetworkPolicy/llama-3-8b-fetch',
      'NetworkPolicy/llama-3-8b',
      'PersistentVolumeClaim/llama-3-8b-weights-213249283a',
      'Deployment/llama-3-8b',
      'Service/llama-3-8b',
      'ServiceAccount/support-agent',
      'NetworkPolicy/support-agent',
      'ConfigMap/support-agent-config',
      'Deployment/support-agent',
      'PodDisruptionBudget/support-agent',
      'HorizontalPodAutoscaler/support-agent',
      'Service/support-agent',
      'Ingress/support-agent',
      'ServiceAccount/llama-3-70b',
      'ConfigMap/llama-3-70b-fetcher',
      'NetworkPolicy/llama-3-70b',
      'NetworkPolicy/llama-3-70b-fetcher',
      'PersistentVolumeClaim/llama-3-70b-weights-73f99e9bdb',
      expect.stringMatching(/^Job\/llama-3-70b-fetch-[0-9a-f]{10}$/),
      'Deployment/llama-3-70b',
      'Service/llama-3-70b',
      'PodDisruptionBudget/llama-3-70b',
      'ScaledObject/llama-3-70b',
      'Ingress/llama-3-70b',
    ]);
  });

  test('warns on standard error of what must interrupt the service', () => {
    expect(ended.stderr).toContain('warning: models/llama-3-8b: spec.storage.accessMode: ');
  });
});

describe('a chart', () => {
  test('prints children in the order that the construct declares', () => {
    const chart = new Chart(new App(), 'chart');
    const workloads = [single, scaled].map(
      (spec, index) =>
        new ModelServing(chart, `serving-${index}`, { name: `llama-${index}`, namespace: 'models', spec }),
    );
    const declared = workloads.flatMap((workload) => workload.render().map(({ manifest }) => manifest));
    expect(titlesOf(chart.toJson() as Manifest[])).toEqual(titlesOf(declared));
  });

  test('refuses a spec with all of its problems at once', () => {
    const spec = { ...single, storage: { size: 'much' }, engine: { type: 'vllm' as const, args: ['--port=1'] } };
    const build = () => new ModelServing(new Chart(new App(), 'chart'), 'a', { name: 'a', namespace: 'models', spec });
    expect(build).toThrow(/spec\.storage\.size[^]*spec\.engine\.args/);
  });

  test('refuses what needs the operator', () => {
    const spec = { ...single, retired: true };
    const build = () => new ModelServing(new Chart(new App(), 'chart'), 'a', { name: 'a', namespace: 'models', spec });
    expect(build).toThrow(/spec\.retired: is for the operator only/);
  });

  test('gathers the warnings of its workloads with their paths', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    const { warnings } = new ModelServing(chart, 'serving', { name: 'a', namespace: 'models', spec: single });
    expect(warningsBelow(app)).toEqual(warnings.map((warning) => `chart/serving: ${warning}`));
  });
});
