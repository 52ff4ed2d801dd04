import type { EnvVar } from '../parts/objects/index.ts';
import type { EngineType, IpFamily } from './engines.ts';
import type { Draft, Engine } from './engine.ts';

/** The weights are on disk: asking the Hub could only hang, since the NetworkPolicy lets nothing out. */
const OFFLINE: readonly EnvVar[] = [
  { name: 'HF_HUB_OFFLINE', value: '1' },
  { name: 'TRANSFORMERS_OFFLINE', value: '1' },
  { name: 'DO_NOT_TRACK', value: '1' },
];

/** vLLM 0.30.0, config/speculative.py, SpeculativeMethod. It guesses the method by the model's name, which a folder does not have. */
const VLLM_DRAFTS = { model: 'draft_model', eagle: 'eagle', eagle3: 'eagle3' } as const;

const vllmDraft = ({ path, method, tokens }: Draft): string =>
  JSON.stringify({ method: VLLM_DRAFTS[method], model: path, num_speculative_tokens: tokens });

/** SGLang 0.5.18, srt/speculative/spec_info.py, SpeculativeAlgorithm. */
const SGLANG_DRAFTS = { model: 'STANDALONE', eagle: 'EAGLE', eagle3: 'EAGLE3' } as const;

/** All addresses of a family. */
const WILDCARD: Readonly<Record<IpFamily, string>> = { IPv4: '0.0.0.0', IPv6: '::' };

/**
 * What vLLM takes of the memory of a container on CPUs, weights and all. It reads the container's limit by itself (vLLM 0.30.0,
 * utils/cpu_resource_utils.py), but takes 0.92 of it where nobody says another share, and ends where less than that is free at its
 * start (v1/worker/cpu_worker.py): its other two processes and the files that Linux caches on the container's account are in the way
 * unless the limit is very large. 0.5 is what its message advises. VLLM_CPU_KVCACHE_SPACE would be a fixed size beside weights of any size.
 */
const VLLM_CPU_SHARE = '--gpu-memory-utilization=0.5';

const vllm: Engine = {
  images: {
    nvidia:
      'docker.io/vllm/vllm-openai:v0.30.0@sha256:8a69ffad015f138d7170c4ddc429e230a3bc1c1719f67e14324749df200a4b90',
    // The names and tags are those of .buildkite/scripts/publish-release-images.sh, vLLM 0.30.0, and both images have `vllm` on their PATH
    // (docker/Dockerfile.rocm and Dockerfile.cpu: ENTRYPOINT ["vllm", "serve"]).
    amd: 'docker.io/vllm/vllm-openai-rocm:v0.30.0@sha256:2e7da1ad1c66836802072588adea75f9f4991da5f9545b4318e91d422c22ce6a',
    // For amd64 and arm64. No digest of it was seen together with its tag, so the tag must do.
    cpu: 'docker.io/vllm/vllm-openai-cpu:v0.30.0',
  },
  port: 8000,
  apiPath: '/v1',
  command: ['vllm', 'serve'],
  // The model is the positional argument: `vllm serve` deprecates --model. Without --host it listens on all addresses of
  // IPv4 (vLLM 0.30.0, entrypoints/launchers/launcher.py, setup_server and create_server_socket: AF_INET unless the host is
  // an address of IPv6).
  args: ({ modelPath, tokenizerPath, draft, servedName, port, ipFamily, tensor, pipeline, isOwnOnCpus }) => [
    modelPath,
    `--served-model-name=${servedName}`,
    ...(ipFamily === 'IPv6' ? [`--host=${WILDCARD.IPv6}`] : []),
    `--port=${port}`,
    `--tensor-parallel-size=${tensor}`,
    `--pipeline-parallel-size=${pipeline}`,
    ...(tokenizerPath === undefined ? [] : [`--tokenizer=${tokenizerPath}`]),
    ...(draft === undefined ? [] : [`--speculative-config=${vllmDraft(draft)}`]),
    ...(isOwnOnCpus ? [VLLM_CPU_SHARE] : []),
  ],
  env: OFFLINE,
  health: () => ({ ready: '/health', alive: '/health' }),
  metrics: {
    path: '/metrics',
    names: {
      running: 'vllm:num_requests_running',
      waiting: 'vllm:num_requests_waiting',
      kvCacheUsage: 'vllm:kv_cache_usage_perc',
      timeToFirstToken: 'vllm:time_to_first_token_seconds',
      interTokenLatency: 'vllm:inter_token_latency_seconds',
      generatedTokens: 'vllm:generation_tokens_total',
    },
  },
  drain: 'poll',
};

const sglang: Engine = {
  images: {
    nvidia: 'docker.io/lmsysorg/sglang:v0.5.18@sha256:9e148f5ac788e856a06166bd6347a831831eb9fcfab4d1770874823a7c29a1a1',
  },
  choice: {
    amd: 'has one for each release of ROCm and each GPU, for instance docker.io/lmsysorg/sglang:v0.5.18-rocm720-mi30x for the MI300X',
    cpu: 'has one for Xeons with AMX alone, docker.io/lmsysorg/sglang:v0.5.18-xeon; its arguments are --device=cpu and --disable-overlap-schedule',
  },
  port: 30_000,
  apiPath: '/v1',
  command: ['python3', '-m', 'sglang.launch_server'],
  args: ({ modelPath, tokenizerPath, draft, servedName, port, ipFamily, tensor, pipeline }) => [
    `--model-path=${modelPath}`,
    `--served-model-name=${servedName}`,
    `--host=${WILDCARD[ipFamily]}`,
    `--port=${port}`,
    `--tp-size=${tensor}`,
    `--pp-size=${pipeline}`,
    '--enable-metrics',
    ...(tokenizerPath === undefined ? [] : [`--tokenizer-path=${tokenizerPath}`]),
    ...(draft === undefined
      ? []
      : [`--speculative-algorithm=${SGLANG_DRAFTS[draft.method]}`, `--speculative-draft-model-path=${draft.path}`]),
  ],
  // Its /health generates a token else, and waits for it behind all that is in work: a long prefill would take the pod out
  // of the Service (SGLang 0.5.18, http_server.py, health_generate). A scheduler that hangs is ended by SGLang itself after
  // 300 s (server_args.py, watchdog_timeout).
  env: [...OFFLINE, { name: 'SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION', value: 'false' }],
  health: () => ({ ready: '/health', alive: '/health' }),
  metrics: {
    path: '/metrics',
    names: {
      running: 'sglang:num_running_reqs',
      waiting: 'sglang:num_queue_reqs',
      kvCacheUsage: 'sglang:token_usage',
      timeToFirstToken: 'sglang:time_to_first_token_seconds',
      interTokenLatency: 'sglang:inter_token_latency_seconds',
      tokensPerSecond: 'sglang:gen_throughput',
    },
  },
  drain: 'poll',
};

const TGI_IMAGE = 'ghcr.io/huggingface/text-generation-inference:3.3.7';

const tgi: Engine = {
  images: {
    // No digest of it was seen together with its tag, so the tag must do.
    nvidia: TGI_IMAGE,
    // The README of TGI 3.3.7: the same image runs without GPUs. That for Intel's CPUs takes nearly all memory of the node for its KV
    // cache, whatever the limit of its container is (import_utils.py, get_cpu_free_memory), and is ended by it.
    cpu: TGI_IMAGE,
  },
  choice: {
    amd: 'has them with -rocm in the tag: its documentation names ghcr.io/huggingface/text-generation-inference:3.3.5-rocm, for the MI210, MI250 and MI300',
  },
  port: 8080,
  apiPath: '/v1',
  command: ['text-generation-launcher'],
  // Without --hostname it reads $HOSTNAME, which is the name of the pod; what is not an address is 0.0.0.0 (TGI 3.3.7, router/src/server.rs:
  // "Invalid hostname, defaulting to 0.0.0.0").
  args: ({ modelPath, port, ipFamily, tensor }) => [
    `--model-id=${modelPath}`,
    `--hostname=${WILDCARD[ipFamily]}`,
    `--port=${port}`,
    `--num-shard=${tensor}`,
  ],
  env: OFFLINE,
  health: () => ({ ready: '/health', alive: '/health' }),
  metrics: {
    path: '/metrics',
    names: {
      running: 'tgi_batch_current_size',
      waiting: 'tgi_queue_size',
      interTokenLatency: 'tgi_request_mean_time_per_token_duration',
    },
  },
  drain: 'poll',
};

const TRITON_IMAGE =
  'nvcr.io/nvidia/tritonserver:25.06-py3@sha256:75bcfa5b0043898ece3e603c17a5bbbb1c9bddc390563db24312ef59d83735e5';

const triton: Engine = {
  // docs/getting_started/quickstart.md of Triton, of 2023 and later: with GPUs and on CPUs alone "you can use the same Triton Docker image".
  images: { nvidia: TRITON_IMAGE, cpu: TRITON_IMAGE },
  port: 8000,
  apiPath: '/v2',
  command: ['tritonserver'],
  // Its HTTP server is libevhtp, which takes an address of IPv6 behind "ipv6:" alone (evhtp.c, evhtp_bind_socket); that of
  // the metrics follows it (Triton 2.59.0, which is 25.06, command_line_parser.cc). gRPC listens on both families where it is told 0.0.0.0.
  args: ({ modelPath, port, ipFamily, drainSeconds }) => [
    `--model-repository=${modelPath}`,
    ...(ipFamily === 'IPv6' ? [`--http-address=ipv6:${WILDCARD.IPv6}`] : []),
    `--http-port=${port}`,
    '--grpc-port=8001',
    '--metrics-port=8002',
    `--exit-timeout-secs=${drainSeconds}`,
  ],
  env: [],
  health: () => ({ ready: '/v2/health/ready', alive: '/v2/health/live' }),
  grpcPort: 8001,
  metrics: { path: '/metrics', port: 8002, names: { waiting: 'nv_inference_pending_request_count' } },
  drain: 'self',
};

const tensorflowServing: Engine = {
  // No digest of a 2.x release was seen together with its tag, so the tag must do.
  images: { nvidia: 'docker.io/tensorflow/serving:2.19.1-gpu', cpu: 'docker.io/tensorflow/serving:2.19.1' },
  port: 8501,
  apiPath: '/v1',
  command: ['tensorflow_model_server'],
  // It listens on "::", and on IPv4 where there is no IPv6 (net_http/server/internal/evhttp_server.cc), for which it has no
  // flag, and by gRPC on both.
  args: ({ modelPath, servedName, port }) => [
    `--model_name=${servedName}`,
    `--model_base_path=${modelPath}`,
    `--rest_api_port=${port}`,
    '--port=8500',
  ],
  env: [],
  health: (servedName) => ({ ready: `/v1/models/${servedName}/metadata`, alive: `/v1/models/${servedName}` }),
  grpcPort: 8500,
  drain: 'sleep',
};

const custom: Engine = { images: {}, port: 8000, apiPath: '', args: () => [], env: [], drain: 'sleep' };

/** What the construct knows of each engine. */
export const ENGINE_TABLE: Readonly<Record<EngineType, Engine>> = {
  vllm,
  sglang,
  tgi,
  triton,
  'tensorflow-serving': tensorflowServing,
  custom,
};
