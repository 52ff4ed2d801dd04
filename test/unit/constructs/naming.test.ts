import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import type { RenderedChild, Workload } from '../../../constructs/index.ts';
import type { PodTemplate } from '../../../constructs/parts/objects/kube.ts';
import { NAMINGS } from '../../../constructs/parts/objects/naming.ts';
import type { Naming } from '../../../constructs/parts/objects/naming.ts';
import { minimal as agent } from '../../examples/agent-service/example.ts';
import { minimal as training } from '../../examples/distributed-training/example.ts';
import { minimal as serving } from '../../examples/model-serving/example.ts';

const chart = () => new Chart(new App(), 'chart');
const props = (naming: Naming | undefined) => ({ name: 'llama', namespace: 'models', ...(naming && { naming }) });

const WORKLOADS = {
  ModelServing: (naming?: Naming): Workload => new ModelServing(chart(), 'w', { ...props(naming), spec: serving }),
  AgentService: (naming?: Naming): Workload => new AgentService(chart(), 'w', { ...props(naming), spec: agent }),
  DistributedTraining: (naming?: Naming): Workload =>
    new DistributedTraining(chart(), 'w', { ...props(naming), spec: { ...training, replicas: 3 }, state: {} }),
};

interface Spec {
  readonly selector?: object;
  readonly podSelector?: object;
  readonly template?: PodTemplate;
}

const specOf = ({ manifest }: RenderedChild): Spec => manifest['spec'] ?? {};
const selectors = (workload: Workload): readonly string[] =>
  workload.render().map((child) => JSON.stringify([specOf(child).selector, specOf(child).podSelector]));

describe.each(Object.entries(WORKLOADS))('the naming of a %s', (_, make) => {
  const naming = { labels: { team: 'a', 'app.kubernetes.io/name': 'mine' } };

  test('puts labels on its objects and on its pods, and takes none of ours away', () => {
    const own = make(naming)
      .render()
      .filter(({ manifest }) => manifest.metadata.labels?.['app.kubernetes.io/component'] !== 'fetcher');
    const labels = own.flatMap((child) => [child.manifest.metadata.labels, specOf(child).template?.metadata.labels]);
    for (const each of labels.filter((one) => one !== undefined)) {
      expect(each).toMatchObject({ team: 'a', 'app.kubernetes.io/part-of': 'trunnion' });
      expect(each['app.kubernetes.io/name']).not.toBe('mine');
    }
  });

  test('is in no selector', () => {
    expect(selectors(make(naming))).toEqual(selectors(make()));
  });
});

describe('the naming of AIAgent', () => {
  test('gives the Service its name, and all that leads to it', () => {
    const workload = new AgentService(chart(), 'w', {
      ...props(NAMINGS.AIAgent('llama')),
      spec: { ...agent, expose: { ingress: { host: 'llama.example.com' } } },
    });
    const children = new Map(workload.render().map((child) => [child.id, child.manifest]));
    expect(children.get('service')?.metadata).toMatchObject({ name: 'llama-svc', labels: { aiagent: 'llama' } });
    expect(JSON.stringify(children.get('ingress'))).toContain('"name":"llama-svc"');
    expect(workload.url).toBe('http://llama-svc.models.svc');
  });
});

describe('the naming of MLTrainingJob', () => {
  const children = new Map(
    WORKLOADS.DistributedTraining(NAMINGS.MLTrainingJob('llama'))
      .render()
      .map((child) => [child.id, child]),
  );

  test('gives each rank a host by which its users know it', () => {
    const hosts = [...children.values()]
      .filter(({ id }) => id.startsWith('alias-'))
      .map(({ manifest }) => [
        manifest.metadata.name,
        manifest['spec'] as { readonly selector: Readonly<Record<string, string>> },
      ]);
    const index = 'batch.kubernetes.io/job-completion-index';
    expect(hosts).toMatchObject([
      ['llama-master', { clusterIP: 'None', publishNotReadyAddresses: true, selector: { [index]: '0' } }],
      ['llama-worker-0', { selector: { [index]: '1' } }],
      ['llama-worker-1', { selector: { [index]: '2' } }],
    ]);
    expect(children.get('alias-0')?.manifest.metadata.labels).toMatchObject({ job: 'llama' });
  });

  test('is refused where no operator could tell a rank its role', () => {
    const naming = NAMINGS.MLTrainingJob('llama');
    const make = () => new DistributedTraining(chart(), 'w', { ...props(naming), spec: training });
    expect(make).toThrow('naming.masterAndWorkers: is for the operator only');
  });

  test('keeps pods from starting until their role is known, which their container reads', () => {
    const worker = children.get('worker');
    const pod = worker && specOf(worker).template?.spec;
    expect(pod).toMatchObject({ schedulingGates: [{ name: 'trunnion.dev/role' }] });
    expect(pod?.containers[0]?.env).toEqual(
      expect.arrayContaining([
        { name: 'ROLE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['role']" } } },
        { name: 'MASTER_ADDR', value: 'llama-master' },
      ]),
    );
  });
});
