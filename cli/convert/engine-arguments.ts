import type { Json } from '../../constructs/schema/json.ts';
import type { Fields } from './fields.ts';
import { withModelPath } from './model-path.ts';
import { given, filled } from './pods.ts';

/** What the arguments of an engine say that has fields of its own here. */
export interface EngineArguments {
  /** Of `spec.engine`: `args` and `port`. */
  readonly engine: object;
  /** Of `spec`: `parallelism`. */
  readonly spec: object;
  /** Of `spec.model`. */
  readonly model: { readonly name?: string; readonly id?: string; readonly revision?: string };
}

/** What one argument becomes: a field, another argument, nothing since it follows from the rest, or a reason to tell. */
type Meaning =
  | 'name'
  | 'port'
  | 'tensor'
  | 'pipeline'
  | 'id'
  | 'revision'
  | { readonly follows: string; readonly unless: readonly string[] }
  | { readonly as: string }
  | { readonly told: string };

const HOST: Meaning = { follows: 'the engine listens on all addresses', unless: ['0.0.0.0', '::'] };
const PATH: Meaning = {
  follows: 'the place of the model follows from model.uri',
  unless: ['/mnt/models', '/mnt/models/'],
};
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
    ].map((name) => [name, { told: NOT_VLLM }]),
  ),
};

const OPTIONS: Readonly<Record<string, Readonly<Record<string, Meaning>>>> = {
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
    '--model-config-file': { told: 'one model is served: model.uri names it' },
  },
  custom: {},
};

/** What is known beside the arguments. */
interface Known {
  /** The engine, or `huggingface` where arguments are those of KServe's own server. */
  readonly type: string;
  /** @default - nobody knows */
  readonly gpu?: number | undefined;
  /**
   * Whether `/mnt/models` is where the model lies, and not a folder of the user's own.
   *
   * @default true
   */
  readonly isFetched?: boolean;
}

/** One option as it was written: in one argument, or in two. */
interface Option {
  readonly at: Fields;
  readonly name: string;
  readonly value: string | undefined;
  readonly written: readonly string[];
}

/** Reads the arguments of an engine: what fields of ours say is put there, the rest is carried over. */
export function engineArguments(fields: Fields, { type, gpu, isFetched = true }: Known): EngineArguments {
  const options = OPTIONS[type] ?? {};
  const texts = fields.texts('args');
  if (texts === undefined) return { engine: {}, spec: {}, model: {} };
  const found: Partial<Record<string, string>> = {};
  const args: string[] = [];
  for (const option of optionsOf(fields.items('args'), texts, options)) {
    const meaning = options[plainName(option.name)];
    const kept = meaning === undefined ? option.written : readOption(option, meaning, found);
    for (const each of kept) args.push(isFetched ? withModelPath(each, () => option.at.note('', MOVED)) : each);
  }
  const sizes = sizesOf(found, gpu);
  return {
    engine: {
      ...(args.length > 0 || texts.length === 0 ? { args } : {}),
      ...(found['port'] !== undefined && { port: Number(found['port']) }),
    },
    spec: filled('parallelism', sizes),
    model: {
      ...(given('name', found['name']) as { name?: string }),
      ...(given('id', found['id']) as { id?: string }),
      ...(given('revision', found['revision']) as { revision?: string }),
    },
  };
}

const MOVED = 'the model lies at $(MODEL_PATH) here';

/** Every engine's parser takes `-` and `_` in a name as the same. */
const plainName = (name: string): string => name.replaceAll(/(?<=\w)_/g, '-');

function optionsOf(
  items: readonly Fields[],
  texts: readonly string[],
  options: Readonly<Record<string, Meaning>>,
): readonly Option[] {
  const found: Option[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    const [text, at] = [texts[index]!, items[index]!];
    const [, name = text, value] = /^(-[^=\s]+)=(.*)$/s.exec(text) ?? [];
    const next = texts[index + 1];
    const isPair = value === undefined && Object.hasOwn(options, plainName(name)) && next?.startsWith('-') === false;
    found.push({ at, name, value: isPair ? next : value, written: isPair ? [text, next] : [text] });
    if (isPair) index += 1;
  }
  return found;
}

/** What is left of an option as arguments; what it says otherwise is put where it belongs, or is told. */
function readOption(option: Option, meaning: Meaning, found: Partial<Record<string, string>>): readonly string[] {
  const { at, value, written } = option;
  if (typeof meaning === 'string') {
    if (value === undefined || (isCount(meaning) && !/^[1-9]\d{0,4}$/.test(value))) {
      at.note('', `is left out: ${FIELDS[meaning]} says it`);
      return [];
    }
    // The last of several counts, as every parser has it.
    if (found[meaning] !== undefined) at.note('', `is said twice: ${FIELDS[meaning]} is the last`);
    found[meaning] = value;
    return [];
  }
  if ('as' in meaning) {
    at.note('', `is ${meaning.as} of the engine`);
    return [value === undefined ? meaning.as : `${meaning.as}=${value}`];
  }
  if ('told' in meaning) at.note('', `is left out: it ${meaning.told}`);
  else if (!meaning.unless.includes(value ?? '')) at.note('', `is left out: ${meaning.follows}`);
  return written.slice(written.length);
}

const isCount = (meaning: string): boolean => ['port', 'tensor', 'pipeline'].includes(meaning);

const FIELDS: Readonly<Record<string, string>> = {
  name: 'model.name',
  port: 'engine.port',
  tensor: 'parallelism.tensor',
  pipeline: 'parallelism.pipeline',
  id: 'model.uri',
  revision: 'model.uri',
};

/** How the model is split; nothing where it is split over all GPUs, which is so without it. */
function sizesOf(found: Partial<Record<string, string>>, gpu: number | undefined): Readonly<Record<string, Json>> {
  const tensor = found['tensor'] === undefined ? undefined : Number(found['tensor']);
  const pipeline = found['pipeline'] === undefined ? undefined : Number(found['pipeline']);
  if ((tensor ?? 1) === (gpu ?? 0) && (pipeline ?? 1) === 1) return {};
  if ((tensor ?? 1) === 1 && (pipeline ?? 1) === 1 && gpu === 0) return {};
  return { ...(tensor !== undefined && { tensor }), ...(pipeline !== undefined && { pipeline }) };
}
