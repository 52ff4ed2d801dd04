/** The engines that serve a model. */
export const ENGINES = ['vllm', 'sglang', 'tgi', 'triton', 'tensorflow-serving', 'custom'] as const;

/** An engine that serves a model. */
export type EngineType = (typeof ENGINES)[number];

/**
 * The engines that look for safetensors in the folder of a model, and find none in GGUF there: vLLM 0.30.0 and SGLang 0.5.18 take
 * the path of its file (SGLang's model_loader/loader.py: "Cannot find any model weights"), and the image of TGI 3.3.7 reads no GGUF.
 */
export const FOLDER_WITHOUT_GGUF: readonly EngineType[] = ['vllm', 'sglang', 'tgi'];

/** The IP families of a pod, by Kubernetes' own names. */
export const IP_FAMILIES = ['IPv4', 'IPv6'] as const;

/** The family of the address by which a pod is reached. */
export type IpFamily = (typeof IP_FAMILIES)[number];

/** How a draft model works: a smaller model of the same vocabulary, or a head of EAGLE or EAGLE-3. */
export const DRAFT_METHODS = ['model', 'eagle', 'eagle3'] as const;

/** One of {@link DRAFT_METHODS}. */
export type DraftMethod = (typeof DRAFT_METHODS)[number];

/** How an engine can use several GPUs for one model. */
export type Parallelism = 'tensor' | 'pipeline' | 'data' | 'expert';

/** The engines that use several GPUs for one model, and how. */
export const ENGINE_PARALLELISM: Readonly<Record<EngineType, readonly Parallelism[]>> = {
  vllm: ['tensor', 'pipeline', 'data', 'expert'],
  sglang: ['tensor', 'pipeline', 'data', 'expert'],
  tgi: ['tensor'],
  triton: [],
  'tensorflow-serving': [],
  custom: [],
};

/** The engines that run one model over the pods of a group, by flags of their own. */
export const GROUPED_ENGINES: readonly EngineType[] = ['vllm', 'sglang'];

/**
 * Arguments that the construct sets from the rest of the spec, so that `engine.args` must not. Every engine's parser
 * takes `-` and `_` in a name as the same.
 */
export const ENGINE_ARGUMENTS: Readonly<Record<EngineType, readonly string[]>> = {
  vllm: [
    '--model',
    '--served-model-name',
    '--host',
    '--port',
    '--tensor-parallel-size',
    '-tp',
    '--pipeline-parallel-size',
    '-pp',
  ],
  sglang: [
    '--model-path',
    '--model',
    '--served-model-name',
    '--host',
    '--port',
    '--tensor-parallel-size',
    '--tp-size',
    '--tp',
    '--pipeline-parallel-size',
    '--pp-size',
    '--pp',
    '--enable-metrics',
  ],
  tgi: ['--model-id', '--served-model-name', '--hostname', '--port', '-p', '--num-shard', '--sharded'],
  triton: [
    '--model-repository',
    '--model-store',
    '--http-port',
    '--http-address',
    '--metrics-port',
    '--metrics-address',
    '--allow-metrics',
    '--allow-http',
    '--grpc-port',
    '--exit-timeout-secs',
  ],
  'tensorflow-serving': ['--model-name', '--model-base-path', '--model-config-file', '--rest-api-port', '--port'],
  custom: [],
};

/**
 * Arguments that follow from `nodes`, `parallelism.data` and `parallelism.expert`, so that `engine.args` must not have them where the
 * spec says one of these. Where it says none, they are the user's own: SGLang's `--ep-size` takes less than all GPUs, for instance.
 */
export const SPLIT_ARGUMENTS: Readonly<Partial<Record<EngineType, readonly string[]>>> = {
  // vLLM 0.30.0, engine/arg_utils.py and entrypoints/launchers/cli_args.py.
  vllm: [
    '--nnodes',
    '-n',
    '--node-rank',
    '-r',
    '--master-addr',
    '--master-port',
    '--headless',
    '--data-parallel-size',
    '-dp',
    '--data-parallel-size-local',
    '-dpl',
    '--data-parallel-rank',
    '-dpn',
    '--data-parallel-start-rank',
    '-dpr',
    '--data-parallel-address',
    '-dpa',
    '--data-parallel-rpc-port',
    '-dpp',
    '--data-parallel-backend',
    '-dpb',
    '--data-parallel-hybrid-lb',
    '-dph',
    '--data-parallel-external-lb',
    '-dpe',
    '--data-parallel-multi-port-external-lb',
    '-dpm',
    '--enable-expert-parallel',
    '-ep',
  ],
  // SGLang 0.5.18, srt/server_args.py.
  sglang: [
    '--nnodes',
    '--node-rank',
    '--dist-init-addr',
    '--nccl-init-addr',
    '--data-parallel-size',
    '--dp-size',
    '--dp',
    '--enable-dp-attention',
    '--expert-parallel-size',
    '--ep-size',
    '--ep',
  ],
};
