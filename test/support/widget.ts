import { App, Chart } from 'cdk8s';
import { SpecError } from '../../constructs/schema/error.ts';
import { Workload } from '../../constructs/workload.ts';
import type { Manifest, RenderedChild, WorkloadProps } from '../../constructs/workload.ts';
import type { Figures } from '../../operator/engine/api/figures.ts';
import type { Result, Kind, Snapshot } from '../../operator/engine/api/kind.ts';
import type { CommonStatus, Resource } from '../../operator/engine/api/resource.ts';
import type { ObservedChild } from '../../operator/engine/api/observed.ts';
import { resourceType, TYPES } from '../../operator/kube/client/resource-types.ts';
import { unstamped } from '../../operator/engine/api/refused.ts';
import type { ResourceType } from '../../operator/kube/client/types.ts';

/** A kind that is as small as the engine allows, so that tests of the engine need no real one. */
export interface WidgetSpec {
  /** Goes into the ConfigMap. */
  readonly message: string;
  /** Absent: somebody else scales it. */
  readonly replicas?: number;
  /** A Job that the Deployment waits for. */
  readonly job?: boolean;
  /** @default true */
  readonly service?: boolean;
  /** Of the Job's pods, so that the simulation knows what happens to them. */
  readonly simulated?: Readonly<Record<string, string>>;
  /** A claim that outlives the widget. */
  readonly keep?: boolean;
  /** A spec that can't work. */
  readonly broken?: boolean;
  /** A kind that may not be served. */
  readonly gadget?: boolean;
}

export interface WidgetStatus extends CommonStatus {
  /** How many times the Job was created again. */
  readonly retries?: number;
}

export type Widget = Resource<WidgetSpec, WidgetStatus>;

/** The types of what widgets are made of. */
export const {
  configMap: CONFIG_MAP,
  persistentVolumeClaim: CLAIM,
  service: SERVICE,
  deployment: DEPLOYMENT,
  job: JOB,
} = TYPES;

export const WIDGET = resourceType('test.trunnion.dev', 'v1', 'Widget');
export const GADGET = resourceType('test.trunnion.dev', 'v1', 'Gadget');

export const WIDGET_FINALIZER = 'test.trunnion.dev/widget';

/** A gauge and a counter of how often the Job was created again. */
const WIDGET_FIGURES: Figures<Widget> = {
  phases: { Deploying: 'It starts.', Running: 'It runs.', Failed: 'It can not run.' },
  gauges: [
    {
      name: 'test_widget_retries',
      help: 'How many times the Job was created again.',
      labels: { of: ['job'] },
      of: ({ retries }) => (retries === undefined ? [] : [{ labels: { of: 'job' }, value: retries }]),
    },
  ],
  counters: [
    {
      name: 'test_widget_retries_total',
      help: 'Times that a Job was created again.',
      of: (before, after) => [{ value: (after.retries ?? 0) - (before.retries ?? 0) }],
    },
  ],
};

class WidgetWorkload extends Workload {
  constructor(chart: Chart, { name, namespace, spec }: WorkloadProps<WidgetSpec, unknown>) {
    super(chart, name);
    const selector = { 'app.kubernetes.io/name': 'widget', 'app.kubernetes.io/instance': name };
    const labels = { ...selector, 'app.kubernetes.io/part-of': 'trunnion' };
    const object = (apiVersion: string, kind: string, rest: object): Manifest => ({
      apiVersion,
      kind,
      metadata: { name, namespace, labels },
      ...rest,
    });
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'main', image: 'example.com/widget:1', env: [{ name: 'A', value: 'a' }] }] },
    };
    this.add('config', object('v1', 'ConfigMap', { data: { message: spec.message } }));
    if (spec.keep === true) {
      const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      this.add('claim', object('v1', 'PersistentVolumeClaim', { spec: claim }), { retain: true });
    }
    if (spec.job === true) {
      const jobSpec = {
        backoffLimit: 0,
        template: {
          metadata: { labels, ...(spec.simulated !== undefined && { annotations: spec.simulated }) },
          spec: { ...template.spec, restartPolicy: 'Never' },
        },
      };
      this.add('job', object('batch/v1', 'Job', { spec: jobSpec }), { after: ['config'] });
    }
    this.add(
      'deployment',
      object('apps/v1', 'Deployment', {
        spec: {
          ...(spec.replicas !== undefined && { replicas: spec.replicas }),
          selector: { matchLabels: selector },
          template,
        },
      }),
      {
        after: spec.job === true ? ['job'] : ['config'],
        unmanagedFields: spec.replicas === undefined ? ['spec.replicas'] : [],
      },
    );
    if (spec.service !== false) {
      const ports = [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }];
      this.add('service', object('v1', 'Service', { spec: { ports, selector } }));
    }
    if (spec.gadget === true) this.add('gadget', object('test.trunnion.dev/v1', 'Gadget', { spec: {} }));
  }
}

export const widget: Kind<Widget, { readonly draining: boolean }> & { readonly figures: Figures<Widget> } = {
  type: WIDGET,
  label: 'widget',
  childTypes: [CONFIG_MAP, CLAIM, SERVICE, DEPLOYMENT, JOB, { ...GADGET, optional: true }],
  finalizer: WIDGET_FINALIZER,
  figures: WIDGET_FIGURES,
  reconcile,
  render,
  refuse: ({ status }, problems) => ({
    status: { ...unstamped(status), phase: 'Failed' },
    conditions: [{ type: 'Accepted', status: 'False', reason: 'InvalidSpec', message: problems }],
  }),
};

function reconcile(snapshot: Snapshot<Widget>): Result<{ readonly draining: boolean }, WidgetStatus> {
  const { resource, children, failures: problems } = snapshot;
  const { metadata, spec, status } = resource;
  const child = (kind: string): ObservedChild | undefined => children.find((one) => one.kind === kind);
  const draining = metadata.deletionTimestamp !== undefined;
  const ready = child('Deployment')?.ready ?? false;
  const failed = spec.job === true && isFailed(child('Job'));
  const retries = (status?.retries ?? 0) + (failed ? 1 : 0);
  const [problem] = problems;
  const reason = problem?.reason ?? (ready ? 'Ready' : 'Waiting');
  const condition = { type: 'Ready', status: ready && problem === undefined ? 'True' : 'False', reason } as const;
  return {
    state: { draining },
    status: {
      phase: problem === undefined ? (ready ? 'Running' : 'Deploying') : 'Failed',
      ...(retries > 0 && { retries }),
    },
    conditions: [{ ...condition, message: problem?.message ?? '' }],
    replace: failed ? ['job'] : [],
    release: draining && child('Service') === undefined,
  };
}

function render({ metadata, spec }: Widget, { draining }: { readonly draining: boolean }): readonly RenderedChild[] {
  if (spec.broken === true) throw new SpecError('Widget', [{ path: 'spec.broken', message: 'must not be true' }]);
  const shown = draining ? { ...spec, service: false } : spec;
  const props = { name: metadata.name, namespace: metadata.namespace ?? '', spec: shown };
  return new WidgetWorkload(new Chart(new App(), 'widget'), props).render();
}

function isFailed(job: ObservedChild | undefined): boolean {
  const status = job?.slice['status'] as { conditions?: readonly { type: string; status: string }[] } | undefined;
  return status?.conditions?.some((condition) => condition.type === 'Failed' && condition.status === 'True') === true;
}

/** The CustomResourceDefinition of a type of this group, whatever its objects hold. */
export const crdOf = ({ group, version, kind, plural }: ResourceType): Manifest => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
});
