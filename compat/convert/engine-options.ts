import type { IpFamily } from '../../constructs/model-serving/engines.ts';

/** What one argument becomes: a field, another argument, nothing since it follows from the rest, or a reason to tell. */
export type Meaning =
  | 'name'
  | 'port'
  | 'tensor'
  | 'pipeline'
  | 'id'
  | 'revision'
  | { readonly families: Readonly<Record<string, IpFamily>> }
  | { readonly follows: string; readonly unless: readonly string[] }
  | { readonly as: string }
  | { readonly hub: string }
  | { readonly reported: string };

const HOST: Meaning = { families: { '0.0.0.0': 'IPv4', '::': 'IPv6' } };
export const PATH = {
  follows: 'the place of the model follows from model.uri',
  unless: ['/mnt/models', '/mnt/models/'],
};
const COPIES: Meaning = { reported: 'makes several engines of one pod: raise replicas instead' };
const HUB: Meaning = { hub: 'name a folder of the model: the engine reaches no hub' };
const NOT_VLLM = "is known to KServe's own server alone, and vLLM would end with an error";

/** Options that `vllm serve` gets from other fields (engines.ts), and those that only KServe's server has. */
const VLLM: Readonly<Record<string, Meaning>> = {
  '--served-model-name': 'name',
  '--port': 'port',
  '--host': HOST,
  '--model': 'id',
  '--tensor-parallel-size': 'tensor',
  '-tp': 'tensor',
  '--pipeline-parallel-size': 'pipeline',
  '-pp': 'pipeline',
  '--revision': 'revision',
  '--data-parallel-size': COPIES,
  '-dp': COPIES,
  '--data-parallel-size-local': COPIES,
  '-dpl': COPIES,
  '--tokenizer': HUB,
  '--hf-config-path': HUB,
  '--speculative-model': HUB,
  '--speculative-config': HUB,
  '--speculative-config.model': HUB,
};

/** KServe's huggingfaceserver, as python/huggingfaceserver/huggingfaceserver/__main__.py and model_server.py of v0.20.0 say. */
const HUGGINGFACE: Readonly<Record<string, Meaning>> = {
  ...VLLM,
  '--model-name': 'name',
  '--model-dir': PATH,
  '--model-id': 'id',
  '--model-revision': 'revision',
  '--http-port': 'port',
  '--max-length': { as: '--max-model-len' },
  '--backend': { follows: NOT_VLLM, unless: ['vllm', 'auto'] },
  ...Object.fromEntries(
    [
      '--task',
      '--disable-lower-case',
      '--disable-special-tokens',
      '--tensor-input-names',
      '--return-token-type-ids',
      '--return-offsets-mapping',
      '--return-probabilities',
      '--return-raw-logits',
      '--grpc-port',
      '--workers',
      '--max-threads',
      '--max-asyncio-workers',
      '--enable-grpc',
      '--enable-docs-url',
      '--enable-latency-logging',
      '--configure-logging',
      '--log-config-file',
      '--access-log-format',
      '--event-loop',
      '--timeout-keep-alive',
      '--predictor-host',
      '--protocol',
      '--predictor-protocol',
      '--predictor-use-ssl',
      '--predictor-request-timeout-seconds',
      '--predictor-request-retries',
      '--grpc-max-send-message-length',
      '--grpc-max-receive-message-length',
      '--enable-predictor-health-check',
      '--disable-log-requests',
    ].map((name) => [name, { reported: NOT_VLLM }]),
  ),
};

export const OPTIONS: Readonly<Record<string, Readonly<Record<string, Meaning>>>> = {
  vllm: VLLM,
  huggingface: HUGGINGFACE,
  triton: {
    '--model-repository': PATH,
    '--model-store': PATH,
    '--http-port': 'port',
    '--grpc-port': { follows: 'gRPC is on port 8001', unless: ['8001'] },
    '--metrics-port': { follows: 'metrics are on port 8002', unless: ['8002'] },
    '--allow-http': { follows: 'HTTP is how Triton is asked', unless: ['true', '1'] },
    '--allow-grpc': { follows: 'gRPC is on port 8001', unless: ['true', '1'] },
    '--allow-metrics': { follows: 'metrics are on port 8002', unless: ['true', '1'] },
    '--exit-timeout-secs': { follows: 'drain.timeoutSeconds says it', unless: [] },
  },
  'tensorflow-serving': {
    '--model-name': 'name',
    '--model-base-path': PATH,
    '--rest-api-port': 'port',
    '--port': { follows: 'gRPC is on port 8500', unless: ['8500'] },
    '--model-config-file': { reported: 'one model is served: model.uri names it' },
  },
  custom: {},
};
