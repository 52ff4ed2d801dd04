import { describe, expect, it } from 'vitest';
import { agentService } from '../../../../operator/kinds/agent-service/index.ts';
import {
  decide,
  minimal,
  referring,
  resourceOf,
  running,
  runningStatus,
  conditionOf,
  messageOf,
  servedSpec,
  serving,
} from './support.ts';

const resource = resourceOf(referring);
const binding = { ref: 'llama', name: 'meta/llama', baseUrl: 'http://llama.agents.svc:8000/v1', port: 8000 };
const remembering = resourceOf(referring, { status: runningStatus(referring, { related: serving() }) });

describe('modelRef', () => {
  it('names the ModelServing whose changes concern the agent', () => {
    expect(agentService.references?.(resource)).toEqual(['ModelServing/llama']);
    expect(agentService.references?.(resourceOf(minimal))).toEqual([]);
  });

  it('leads to the address, the name and the pods of the ModelServing', () => {
    const { state, status } = decide({ resource, children: running(), related: serving() });
    expect(status.model).toEqual(binding);
    expect(state.model).toEqual({
      baseUrl: binding.baseUrl,
      name: 'meta/llama',
      port: 8000,
      selector: {
        'app.kubernetes.io/name': 'model-serving',
        'app.kubernetes.io/instance': 'llama',
        'app.kubernetes.io/component': 'server',
      },
    });
    expect(conditionOf(status, 'ResolvedRefs')).toBe('True Resolved');
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
  });

  it('that leads nowhere yet starts no pod, and says so', () => {
    const { state, status } = decide({ resource });
    expect(state.model).toBeUndefined();
    expect(status.phase).toBe('Pending');
    expect(conditionOf(status, 'ResolvedRefs')).toBe('False ModelNotFound');
    expect(messageOf(status, 'ResolvedRefs')).toBe(
      'There is no ModelServing llama in this namespace. Create it, or correct modelRef. Until then no pod is started.',
    );
  });

  it('to one that does not answer yet lets the pods start, and is reported by Ready alone', () => {
    const related = serving({}, { phase: 'Downloading' });
    const { state, status } = decide({ resource, children: running(), related });
    expect(state.model).toBeDefined();
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'ResolvedRefs')).toBe('True Resolved');
    expect(conditionOf(status, 'Ready')).toBe('False ModelNotReady');
    expect(messageOf(status, 'Ready')).toContain('its phase is Downloading');
  });

  it('to one that is gone leaves the pods as they are, also under an operator that starts again', () => {
    const { state, status } = decide({ resource: remembering, children: running() });
    expect(state.model).toMatchObject({ baseUrl: binding.baseUrl });
    expect(status).toMatchObject({ phase: 'Running', model: binding });
    expect(conditionOf(status, 'ResolvedRefs')).toBe('False ModelNotFound');
    expect(conditionOf(status, 'Ready')).toBe('False ModelNotFound');
    expect(messageOf(status, 'ResolvedRefs')).toContain('The pods continue with llama as it was.');
  });

  it('to one that retires names its successor', () => {
    const related = serving({ retired: true, successor: 'llama-4' });
    const { status } = decide({ resource: remembering, children: running(), related });
    expect(conditionOf(status, 'ResolvedRefs')).toBe('False ModelRetired');
    expect(messageOf(status, 'ResolvedRefs')).toContain('Refer to its successor llama-4.');
  });

  it('to one that is served elsewhere leads there', () => {
    const related = serving({ engine: { type: 'vllm', port: 9000 }, model: { uri: 'pvc://models', name: 'other' } });
    const { state } = decide({ resource: remembering, children: running(), related });
    expect(state.model).toMatchObject({ baseUrl: 'http://llama.agents.svc:9000/v1', name: 'other', port: 9000 });
  });

  it('leads to what serves while another model is fetched', () => {
    const related = serving(
      { model: { uri: 's3://models/next', name: 'next' } },
      { phase: 'Updating', served: { spec: servedSpec({}) } },
    );
    expect(decide({ resource, related }).state.model?.name).toBe('meta/llama');
  });

  it('is not remembered where a status that nobody admitted leads elsewhere', () => {
    const model = { ...binding, baseUrl: 'http://llama.agents.svc.evil.example.com:8000/v1' };
    const forged = resourceOf(referring, { status: { ...runningStatus(referring), model } });
    expect(decide({ resource: forged }).state.model).toBeUndefined();
    expect(decide({ resource: forged, related: serving() }).status.model).toEqual(binding);
  });

  it('that is taken out is forgotten', () => {
    const status = runningStatus(referring, { related: serving() });
    const result = decide({ resource: resourceOf(minimal, { status }), children: running() });
    expect(result.state.model).toBeUndefined();
    expect(result.status.model).toBeUndefined();
  });
});
