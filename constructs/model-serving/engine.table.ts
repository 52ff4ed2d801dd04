import type { EngineType } from './engines.ts';
import type { Engine } from './engine.ts';
import { OFFLINE, WILDCARD } from './engine.common.ts';
import { sglang } from './engine.sglang.ts';
import { vllm } from './engine.vllm.ts';

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
