import { OFFLINE, podAddress, WILDCARD } from './engine.common.ts';
import type { Engine, GroupMember, Launch } from './engine.ts';
import type { IpFamily } from './engines.ts';

/** SGLang 0.5.18, srt/speculative/spec_info.py, SpeculativeAlgorithm. */
const DRAFTS = { model: 'STANDALONE', eagle: 'EAGLE', eagle3: 'EAGLE3' } as const;

/** The address of a pod among its group, as SGLang 0.5.18 takes it from its environment (srt/utils/network.py, get_local_ip_auto). */
const ADDRESS = 'SGLANG_HOST_IP';

/**
 * Where the leader of a group listens for ranks. With copies it takes those up to 6 above as well, and that 13 above (SGLang 0.5.18,
 * srt/server_args.py, PortArgs.init_new and DP_ATTENTION_HANDSHAKE_PORT_DELTA).
 */
const INIT_PORT = 20_000;
const GROUP_PORTS = [0, 1, 2, 3, 4, 5, 6, 13].map((above) => INIT_PORT + above);

/**
 * How the model is split. Copies of the whole model are of one node alone. Where there are more nodes, or experts are spread over the
 * copies, SGLang splits the rest of the model over all of them, and counts them as ranks of its tensor parallelism (SGLang
 * 0.5.18, srt/server_args.py, enable_dp_attention and check_server_args).
 */
function split({ tensor, pipeline, data, expert, group }: Launch): readonly string[] {
  const isShared = data > 1 && (group !== undefined || expert);
  const ranks = isShared ? tensor * data : tensor;
  return [
    `--tp-size=${ranks}`,
    `--pp-size=${pipeline}`,
    ...(data === 1 ? [] : [`--dp-size=${data}`]),
    ...(isShared ? ['--enable-dp-attention'] : []),
    ...(expert ? [`--ep-size=${ranks}`] : []),
  ];
}

/** The leader binds sockets of ZeroMQ to this address, which must be no host name for that (srt/managers/data_parallel_controller.py). */
function leaderHost({ role, leaderAddress }: GroupMember, ipFamily: IpFamily): string {
  if (role === 'worker') return leaderAddress;
  return ipFamily === 'IPv6' ? `[$(${ADDRESS})]` : `$(${ADDRESS})`;
}

/** The pod's place in a group. */
const place = ({ group, ipFamily }: Launch): readonly string[] =>
  group === undefined
    ? []
    : [
        `--nnodes=${group.size}`,
        `--node-rank=${group.index}`,
        `--dist-init-addr=${leaderHost(group, ipFamily)}:${INIT_PORT}`,
      ];

/** What the construct knows of SGLang. */
export const sglang: Engine = {
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
  args: (launch) => {
    const { modelPath, tokenizerPath, draft, servedName, port, ipFamily } = launch;
    return [
      `--model-path=${modelPath}`,
      `--served-model-name=${servedName}`,
      `--host=${WILDCARD[ipFamily]}`,
      `--port=${port}`,
      ...split(launch),
      ...place(launch),
      '--enable-metrics',
      ...(tokenizerPath === undefined ? [] : [`--tokenizer-path=${tokenizerPath}`]),
      ...(draft === undefined
        ? []
        : [`--speculative-algorithm=${DRAFTS[draft.method]}`, `--speculative-draft-model-path=${draft.path}`]),
    ];
  },
  // Its /health generates a token else, and waits for it behind all that is in work: a long prefill would take the pod out
  // of the Service (SGLang 0.5.18, http_server.py, health_generate). A scheduler that hangs is ended by SGLang itself after
  // 300 s (server_args.py, watchdog_timeout).
  env: [...OFFLINE, { name: 'SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION', value: 'false' }],
  groupEnv: [podAddress(ADDRESS)],
  groupPorts: GROUP_PORTS,
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
  // Each pod publishes the requests of its own schedulers (srt/observability/metrics_collector.py).
  countsOwnCopies: true,
  // Once they have loaded, until they end: that they compute, it does not tell (srt/utils/common.py, launch_dummy_health_check_server).
  workersAnswer: true,
  drain: 'poll',
};
