import { describe, expect, it } from 'vitest';
import { ResourceMetrics } from '../../../operator/engine/telemetry/exposition.ts';
import type { CommonStatus, Resource } from '../../../operator/engine/api/resource.ts';
import { Metrics } from '../../../operator/engine/telemetry/metrics.ts';
import { sharedYield } from '../../../operator/kube/client/event-loop.ts';
import { widget } from '../../support/widget.ts';
import type { WidgetStatus } from '../../support/widget.ts';

const made = (name: string, status?: WidgetStatus, generation = 1): Resource => ({
  apiVersion: 'test.trunnion.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'ns', uid: name, resourceVersion: '1', creationTimestamp: '', generation },
  spec: {},
  ...(status && { status }),
});

const condition = (type: string, status: 'True' | 'False' | 'Unknown') => ({
  type,
  status,
  reason: 'Test',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

async function textIn(metrics: ResourceMetrics): Promise<string> {
  let text = '';
  for await (const piece of metrics.text()) text += piece;
  return text;
}

const textOf = (...kinds: ConstructorParameters<typeof ResourceMetrics>[0]) =>
  textIn(new ResourceMetrics(kinds, 'trunnion'));

const widgets = (resources: () => readonly Resource[], statusOf?: (resource: Resource) => CommonStatus) => ({
  kind: 'Widget',
  figures: { ...widget.figures, ...(statusOf && { statusOf }) },
  resources,
});

describe('the metrics of the operator', () => {
  it('have the names of controller-runtime', async () => {
    const metrics = new Metrics('trunnion');
    metrics.runs('1.2.3');
    metrics.reconciled('Widget', 'error', 0.2);
    metrics.request({
      verb: 'apply',
      method: 'PATCH',
      resource: 'services',
      path: '/api/v1/namespaces/ns/services/w',
      code: '200',
      seconds: 0.01,
    });
    metrics.queueObserver('Widget').added?.('ns/w');
    metrics.leads('lease', true);
    const queues = { Widget: { depth: 3, active: 2, activeMs: [1_000, 500], workers: 10 } };
    const text = await metrics.text(queues, [{ type: '/Pod', state: 'live', message: '', objects: 7 }]);
    for (const line of [
      'controller_runtime_reconcile_total{controller="Widget",result="error"} 1',
      'controller_runtime_reconcile_errors_total{controller="Widget"} 1',
      'controller_runtime_active_workers{controller="Widget"} 2',
      'controller_runtime_max_concurrent_reconciles{controller="Widget"} 10',
      'workqueue_depth{name="Widget",controller="Widget"} 3',
      'workqueue_adds_total{name="Widget",controller="Widget"} 1',
      'workqueue_unfinished_work_seconds{name="Widget",controller="Widget"} 1.5',
      'workqueue_longest_running_processor_seconds{name="Widget",controller="Widget"} 1',
      'rest_client_requests_total{code="200",method="PATCH",verb="apply",resource="services"} 1',
      'leader_election_master_status{name="lease"} 1',
      'trunnion_build_info{version="1.2.3"} 1',
      'trunnion_cache_objects{type="/Pod"} 7',
      'trunnion_cache_state{type="/Pod",state="live"} 1',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('begin at 0, so that the first failure is seen as an increase', async () => {
    const metrics = new Metrics('trunnion');
    metrics.controller('Widget', widget.figures);
    const text = await metrics.text({}, []);
    for (const line of [
      'controller_runtime_reconcile_total{controller="Widget",result="requeue_after"} 0',
      'controller_runtime_reconcile_errors_total{controller="Widget"} 0',
      'workqueue_retries_total{name="Widget",controller="Widget"} 0',
      'trunnion_step_failures_total{controller="Widget",reason="Forbidden"} 0',
      'test_widget_retries_total{controller="Widget"} 0',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('cost a pass a hundredth of its budget of 15 ms of processor time at the most', () => {
    const metrics = new Metrics('trunnion');
    const { figures } = widget;
    metrics.controller('Widget', figures);
    const queue = metrics.queueObserver('Widget');
    const resource = made('a', { retries: 2 });
    const passes = 5_000;
    const before = process.cpuUsage();
    for (let pass = 0; pass < passes; pass += 1) {
      queue.added?.('ns/a');
      queue.started?.('ns/a', 1);
      metrics.transition('Widget', figures, resource, { phase: 'Running' });
      metrics.stepsFailed('Widget', []);
      metrics.reconciled('Widget', 'success', 0.01);
      queue.finished?.('ns/a', 10);
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / passes).toBeLessThan(150);
  });

  it('never go back, whatever a kind makes of two statuses', async () => {
    const metrics = new Metrics('trunnion');
    metrics.controller('Widget', widget.figures);
    metrics.transition('Widget', widget.figures, made('a', { retries: 2 }), { phase: 'Running' });
    expect(await metrics.text({}, [])).toContain('test_widget_retries_total{controller="Widget"} 0');
  });

  it('count what a kind throws while it counts, and continue', async () => {
    const metrics = new Metrics('trunnion');
    const poison = () => {
      throw new TypeError('status.retries is not iterable');
    };
    metrics.controller('Widget', widget.figures);
    metrics.transition('Widget', { ...widget.figures, statusOf: poison }, made('a'), { phase: 'Running' });
    const counters = widget.figures.counters.map((counter) => ({ ...counter, of: poison }));
    metrics.transition('Widget', { ...widget.figures, counters }, made('a'), { phase: 'Running' });
    expect(await metrics.text({}, [])).toContain('controller_runtime_reconcile_panics_total{controller="Widget"} 2');
  });

  it('count what has happened between two statuses, by kind', async () => {
    const metrics = new Metrics('trunnion');
    for (const controller of ['Widget', 'Gadget']) metrics.controller(controller, widget.figures);
    metrics.transition('Widget', widget.figures, made('a'), { retries: 2 } as CommonStatus);
    metrics.transition('Widget', widget.figures, made('b', { retries: 2 }), { retries: 3 } as CommonStatus);
    const text = await metrics.text({}, []);
    expect(text).toContain('test_widget_retries_total{controller="Widget"} 3');
    expect(text).toContain('test_widget_retries_total{controller="Gadget"} 0');
  });
});

describe('the metrics of resources', () => {
  it('say where each stands', async () => {
    const status = {
      phase: 'Running',
      observedGeneration: 1,
      conditions: [condition('Ready', 'True'), condition('Progressing', 'Unknown')],
      retries: 4,
    };
    const text = await textOf(widgets(() => [made('a', status, 3)]));
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'trunnion_resource_phase{kind="Widget",namespace="ns",name="a",phase="Deploying"} 0',
      'trunnion_resource_phase{kind="Widget",namespace="ns",name="a",phase="Running"} 1',
      'trunnion_resource_phase{kind="Widget",namespace="ns",name="a",phase="Failed"} 0',
      'trunnion_resource_condition{kind="Widget",namespace="ns",name="a",condition="Ready"} 1',
      'trunnion_resource_condition{kind="Widget",namespace="ns",name="a",condition="Progressing"} 0',
      'trunnion_resource_unobserved_generations{kind="Widget",namespace="ns",name="a"} 2',
      'test_widget_retries{kind="Widget",namespace="ns",name="a",of="job"} 4',
      '',
    ]);
  });

  it('stand together by their names, whichever kinds have them', async () => {
    const text = await textOf(
      widgets(() => [made('a')]),
      { ...widgets(() => [made('b')]), kind: 'Gadget' },
    );
    const names = text.split('\n').map((line) => /^(?:# TYPE )?(\w+)/.exec(line)?.[1]);
    const runs = names.filter((name, index) => name !== undefined && name !== names[index - 1]);
    expect(runs).toEqual([...new Set(runs)]);
    expect(text).toContain('trunnion_resource_phase{kind="Gadget",namespace="ns",name="b",phase="Failed"} 0');
  });

  it('are gone with their resource', async () => {
    const resources = [made('a'), made('b')];
    const metrics = new ResourceMetrics([widgets(() => resources)], 'trunnion');
    const scrape = async () => (await Array.fromAsync(metrics.text())).join('');
    expect(await scrape()).toContain('name="a"');
    resources.shift();
    const after = await scrape();
    expect(after).not.toContain('name="a"');
    expect(after).toContain('name="b"');
  });

  it('are reported while thousands of passes are made, without waiting for them', async () => {
    // A clock that only the work itself moves: what the machine does beside the test changes nothing.
    let clock = 0;
    const share = () => sharedYield(() => clock);
    const status = {
      get phase() {
        clock += 0.01;
        return 'Serving';
      },
    };
    const resources = Array.from({ length: 10_000 }, (_, index) => made(`w${index}`, status));
    const metrics = new ResourceMetrics([widgets(() => resources)], 'trunnion', share());
    await textIn(metrics);
    const alone = clock;
    const stop = new AbortController();
    let passes = 0;
    const yieldToOthers = share();
    const worker = async () => {
      while (!stop.signal.aborted) {
        await yieldToOthers();
        passes += 1;
        clock += 1;
      }
    };
    const workers = Promise.all(Array.from({ length: 10 }, worker));
    expect(await textIn(metrics)).toContain('name="w9999"');
    stop.abort();
    await workers;
    expect(alone).toBeGreaterThan(100);
    // Turn by turn: the passes, of a millisecond each, get as much time as the metrics need. In one line with all ten they would get ten times as much.
    expect(passes).toBeLessThan(1.5 * alone);
  });

  it('are about the status that the kind says, where its resources are the equal of others', async () => {
    const text = await textOf(
      widgets(
        () => [made('a', { phase: 'Serving' })],
        () => ({ phase: 'Running' }),
      ),
    );
    expect(text).toContain('phase="Running"} 1');
  });

  it('leave out one whose status cannot be read, and tell all others', async () => {
    const odd = made('odd', { conditions: { Ready: true } } as unknown as WidgetStatus);
    const text = await textOf(widgets(() => [odd, made('a', { conditions: [condition('Ready', 'True')] })]));
    expect(text).not.toContain('name="odd",condition');
    expect(text).toContain('name="a",condition="Ready"} 1');
  });

  it('leave out one whose status the kind cannot say, and one whose labels are no text, and tell all others', async () => {
    const odd = made('odd', { conditions: [{ ...condition('Ready', 'True'), type: 5 as never }] });
    const well = made('a', { conditions: [condition('Ready', 'True')] });
    const statusOf = (resource: Resource): CommonStatus => {
      if (resource.metadata.name === 'poison') throw new TypeError('spec.replicas is undefined');
      return resource.status ?? {};
    };
    const text = await textOf(widgets(() => [made('poison'), odd, well], statusOf));
    expect(text).not.toContain('name="odd",condition');
    expect(text).toContain('name="a",condition="Ready"} 1');
  });

  it('escape what is not plain', async () => {
    const odd = made('a', { conditions: [condition('a"b\\c\nd', 'True')] });
    expect(await textOf(widgets(() => [odd]))).toContain('condition="a\\"b\\\\c\\nd"} 1');
  });

  it('let other work continue while those of thousands are written', async () => {
    const resources = Array.from({ length: 5_000 }, (_, index) => made(`w${index}`, { phase: 'Running' }));
    let clock = 0;
    let turns = 0;
    const beside = () => {
      turns += 1;
      other = setImmediate(beside);
    };
    let other = setImmediate(beside);
    const text = await textIn(
      new ResourceMetrics(
        [widgets(() => resources)],
        'trunnion',
        sharedYield(() => (clock += 1)),
      ),
    );
    clearImmediate(other);
    expect(text.split('\n').length).toBeGreaterThan(15_000);
    expect(turns).toBeGreaterThan(10);
  });
});
