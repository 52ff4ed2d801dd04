import { App, Chart } from 'cdk8s';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import { isWithin } from '../../../constructs/parts/values/cidr.ts';
import { withoutMetadata } from '../../../constructs/parts/network/metadata-services.ts';
import { parseModelUri } from '../../../constructs/parts/weights/uri.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { holds, type Target } from '../target.ts';

const chart = (): Chart => new Chart(new App(), 'fuzz');

const serving = {
  model: { uri: 'pvc://weights/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 1, cpu: '1', memory: '1Gi' },
} as const;

/** Text as several fields of a spec that are more than text: what is valid must render. */
const texts: Target = {
  name: 'spec-texts',
  run(bytes) {
    const text = bytes.toString();
    new ModelServing(chart(), 'serving', {
      name: 'fuzz',
      namespace: 'default',
      spec: {
        ...serving,
        model: { ...serving.model, name: text },
        autoscaling: {
          minReplicas: 1,
          maxReplicas: 2,
          targets: { ttftMilliseconds: 500 },
          prometheus: { serverAddress: `http://${text}` },
        },
      },
    }).render();
  },
  refusals: [SpecError],
};

const images: Target = {
  name: 'spec-image',
  run(bytes) {
    const image = bytes.toString();
    const children = new ModelServing(chart(), 'serving', {
      name: 'fuzz',
      namespace: 'default',
      spec: { ...serving, engine: { type: 'custom', image, command: [image] } },
    }).render();
    holds(children.length > 0, 'there is something to run');
  },
  refusals: [SpecError],
};

const egress: Target = {
  name: 'spec-egress',
  run(bytes) {
    const cidr = bytes.toString();
    new AgentService(chart(), 'agent', {
      name: 'fuzz',
      namespace: 'default',
      spec: { image: 'a:1', model: 'm', egress: [{ cidr }] },
    }).render();
    // It is valid, or it would have been refused.
    for (const except of withoutMetadata(cidr).except ?? []) holds(isWithin(except, cidr), 'what is left out was in');
  },
  refusals: [SpecError],
};

/** A whole spec as JSON: kinds by turns. */
const specs: Target = {
  name: 'spec',
  run(bytes) {
    const spec = JSON.parse(bytes.subarray(1).toString()) as never;
    const props = { name: 'fuzz', namespace: 'default', spec };
    const kinds = [
      () => new ModelServing(chart(), 'fuzz', props).render(),
      () => new AgentService(chart(), 'fuzz', props).render(),
      () => new DistributedTraining(chart(), 'fuzz', props).render(),
    ];
    const children = kinds[(bytes[0] ?? 0) % kinds.length]?.() ?? [];
    holds(children.length > 0, 'what is valid renders');
  },
  refusals: [SpecError, SyntaxError],
};

/** A text is a URI, or the error says which are. */
class NoUri extends Error {}

const uri: Target = {
  name: 'uri',
  run(bytes) {
    const text = bytes.toString();
    let parsed;
    try {
      parsed = parseModelUri(text);
    } catch (error) {
      holds(error instanceof Error && error.message.includes('is not a model'), 'an error says what is allowed');
      throw new NoUri();
    }
    const path = 'path' in parsed ? parsed.path : 'prefix' in parsed ? parsed.prefix : '';
    holds(!path.split('/').includes('..'), 'a path leads nowhere else');
    if (parsed.scheme === 'https') holds(URL.canParse(parsed.url), 'a URL is one');
  },
  refusals: [NoUri],
};

export const specTargets: readonly Target[] = [texts, images, egress, specs, uri];
