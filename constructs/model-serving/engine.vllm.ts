import { STARTUP_BUDGET } from '../parts/pod/index.ts';
import { OFFLINE, podAddress, WILDCARD } from './engine.common.ts';
import type { Draft, Engine, Launch } from './engine.ts';

/** vLLM 0.30.0, config/speculative.py, SpeculativeMethod. It guesses the method by the model's name, which a folder does not have. */
const DRAFTS = { model: 'draft_model', eagle: 'eagle', eagle3: 'eagle3' } as const;

const draftConfig = ({ path, method, tokens }: Draft): string =>
  JSON.stringify({ method: DRAFTS[method], model: path, num_speculative_tokens: tokens });

/**
 * What vLLM takes of the memory of a container on CPUs, weights and all. It reads the container's limit by itself (vLLM 0.30.0,
 * utils/cpu_resource_utils.py), but takes 0.92 of it where nobody says another share, and ends where less than that is free at its
 * start (v1/worker/cpu_worker.py): its other two processes and the files that Linux caches on the container's account are in the way
 * unless the limit is very large. 0.5 is what its message advises. VLLM_CPU_KVCACHE_SPACE would be a fixed size beside weights of any size.
 */
const CPU_SHARE = '--gpu-memory-utilization=0.5';

/** The address of a pod among its group, as vLLM 0.30.0 takes it from its environment (utils/network_utils.py, get_ip). */
const ADDRESS = 'VLLM_HOST_IP';

/** Where the leader of a group listens for ranks: its own defaults (vLLM 0.30.0, config/parallel.py). */
const MASTER_PORT = 29_501;
const RPC_PORT = 29_550;

/** How the model is split. From the number of nodes and that of the pod, vLLM finds the ranks of a pod (engine/arg_utils.py). */
const split = ({ tensor, pipeline, data, expert }: Launch): readonly string[] => [
  `--tensor-parallel-size=${tensor}`,
  `--pipeline-parallel-size=${pipeline}`,
  ...(data === 1 ? [] : [`--data-parallel-size=${data}`]),
  ...(expert ? ['--enable-expert-parallel'] : []),
];

/**
 * The pod's place in a group. The leader binds sockets of ZeroMQ to its address, which must be no host name for that (vLLM 0.30.0,
 * v1/engine/utils.py, launch_core_engines; libzmq, tcp_address.cpp). Workers serve no HTTP.
 */
const place = ({ group, data }: Launch): readonly string[] =>
  group === undefined
    ? []
    : [
        '--distributed-executor-backend=mp',
        `--nnodes=${group.size}`,
        `--node-rank=${group.index}`,
        `--master-addr=${group.role === 'leader' ? `$(${ADDRESS})` : group.leaderAddress}`,
        `--master-port=${MASTER_PORT}`,
        ...(data === 1 ? [] : [`--data-parallel-rpc-port=${RPC_PORT}`]),
        ...(group.role === 'leader' ? [] : ['--headless']),
      ];

/** What the construct knows of vLLM. */
export const vllm: Engine = {
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
  args: (launch) => {
    const { modelPath, tokenizerPath, draft, servedName, port, ipFamily, isOwnOnCpus } = launch;
    return [
      modelPath,
      `--served-model-name=${servedName}`,
      ...(ipFamily === 'IPv6' ? [`--host=${WILDCARD.IPv6}`] : []),
      `--port=${port}`,
      ...split(launch),
      ...place(launch),
      ...(tokenizerPath === undefined ? [] : [`--tokenizer=${tokenizerPath}`]),
      ...(draft === undefined ? [] : [`--speculative-config=${draftConfig(draft)}`]),
      ...(isOwnOnCpus ? [CPU_SHARE] : []),
    ];
  },
  env: OFFLINE,
  // It starts an API server for each copy before any has loaded, and each ends where that takes more than 600 s
  // (vLLM 0.30.0, entrypoints/cli/serve.py; v1/engine/core_client.py, MPClient; envs.py).
  copiesEnv: [{ name: 'VLLM_ENGINE_READY_TIMEOUT_S', value: String(STARTUP_BUDGET) }],
  groupEnv: [podAddress(ADDRESS)],
  groupPorts: [MASTER_PORT, RPC_PORT],
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
