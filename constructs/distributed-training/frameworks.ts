/** The frameworks that trainings are written in. */
export const FRAMEWORKS = ['pytorch', 'tensorflow', 'mxnet', 'jax', 'mpi'] as const;

/** One of {@link FRAMEWORKS}. */
export type Framework = (typeof FRAMEWORKS)[number];

/** The port on which ranks find each other: the default of torchrun, taken for all frameworks. */
export const MASTER_PORT = 29_500;

/** The port that the SSH servers of MPI listen on: not that of root's, since they run as an ordinary user. */
export const SSH_PORT = 2222;

/** Variables that every rank gets. */
const COMMON_ENV = ['MASTER_ADDR', 'MASTER_PORT', 'RANK', 'ROLE', 'WORLD_SIZE'] as const;

/** Variables about checkpoints. */
const CHECKPOINT_ENV = [
  'CHECKPOINT_DIR',
  'CHECKPOINT_ROOT',
  'CHECKPOINT_URI',
  'GOOGLE_APPLICATION_CREDENTIALS',
] as const;

const FRAMEWORK_ENV = {
  pytorch: [
    'PET_MASTER_ADDR',
    'PET_MASTER_PORT',
    'PET_NNODES',
    'PET_NODE_RANK',
    'PET_NPROC_PER_NODE',
    'PET_RDZV_BACKEND',
    'PET_RDZV_ENDPOINT',
    'PET_RDZV_ID',
  ],
  tensorflow: ['TF_CONFIG'],
  mxnet: [
    'DMLC_NUM_SERVER',
    'DMLC_NUM_WORKER',
    'DMLC_PS_ROOT_PORT',
    'DMLC_PS_ROOT_URI',
    'DMLC_ROLE',
    'DMLC_USE_KUBERNETES',
  ],
  jax: ['JAX_COORDINATOR_ADDRESS', 'JAX_NUM_PROCESSES', 'JAX_PROCESS_ID'],
  mpi: [
    'HYDRA_HOST_FILE',
    'HYDRA_LAUNCHER_EXTRA_ARGS',
    'I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS',
    'I_MPI_HYDRA_HOST_FILE',
    'OMPI_MCA_orte_default_hostfile',
    'OMPI_MCA_orte_keep_fqdn_hostnames',
    'OMPI_MCA_plm_rsh_args',
    'PRTE_MCA_plm_ssh_args',
    'PRTE_MCA_prte_default_hostfile',
  ],
} as const satisfies Record<Framework, readonly string[]>;

/** The variables that follow from the spec, and that a user must not set. */
export const reservedEnv = (framework: Framework): readonly string[] => [
  ...COMMON_ENV,
  ...CHECKPOINT_ENV,
  ...FRAMEWORK_ENV[framework],
];
