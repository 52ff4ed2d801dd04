import type { EnvVar } from '../parts/objects/index.ts';
import { literal } from '../parts/values/index.ts';
import { HOME_ENV } from '../parts/pod/index.ts';
import { MOST_REMOVALS } from './elastic.ts';
import { MASTER_PORT } from './frameworks.ts';
import { LAUNCHER_ENV } from './mpi.ts';
import { hasAliases, hostOf, masterOf } from './names.ts';
import type { Named } from './names.ts';
import { INDEX_LABEL, ROLE_LABEL } from './parts.ts';
import { procsPerNodeOf, worldSizeOf } from './processes.ts';
import { rolesOf } from './roles.ts';
import type { RoleName } from './roles.ts';

/** Reads the index that the Job gives the pod: its rank among the pods of its role. */
const fromIndex = (name: string): EnvVar => fromField(name, `metadata.annotations['${INDEX_LABEL}']`);

const fromField = (name: string, fieldPath: string): EnvVar => ({ name, valueFrom: { fieldRef: { fieldPath } } });

const plain = (values: Readonly<Record<string, string | number>>): readonly EnvVar[] =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));

/** What the user gives as data, which nobody is to expand. */
const literals = (values: Readonly<Record<string, string>>): readonly EnvVar[] =>
  Object.entries(values).map(([name, value]) => ({ name, value: literal(value) }));

/** In one order in all hosts: the API server keeps no order of the keys of a map. */
const byName = (variables: readonly EnvVar[]): readonly EnvVar[] =>
  variables.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));

/** The variables of a role: ours, what its checkpoints need, the hyperparameters, and the user's, by name. */
export function environmentOf(training: Named, role: RoleName, checkpoint: readonly EnvVar[]): readonly EnvVar[] {
  const { spec, attempt } = training;
  const variables = [
    ...HOME_ENV,
    // What a rank printed before it was killed must not be lost in a buffer.
    ...plain({ PYTHONUNBUFFERED: 1, TRUNNION_ATTEMPT: attempt }),
    ...rankEnv(training, role),
    ...frameworkEnv(training, role),
    ...checkpoint,
    ...byName(literals(spec.hyperparameters ?? {})),
    ...(spec.env ?? []),
  ];
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

/**
 * `RANK` counts pods and `WORLD_SIZE` processes: process p of a pod has rank RANK times procsPerNode plus p, which is
 * what torchrun sets for each of them. How many there are is not known in advance where that may change.
 */
const rankEnv = (training: Named, role: RoleName): readonly EnvVar[] => [
  fromIndex('RANK'),
  ...plain({
    ...(training.spec.elastic === undefined && { WORLD_SIZE: worldSizeOf(training.spec) }),
    ...(!hasAliases(training) && { ROLE: role }),
    MASTER_ADDR: masterOf(training),
    MASTER_PORT,
  }),
  // It differs from rank to rank of one template: see ROLE_GATE.
  ...(hasAliases(training) ? [fromField('ROLE', `metadata.labels['${ROLE_LABEL}']`)] : []),
];

function frameworkEnv(training: Named, role: RoleName): readonly EnvVar[] {
  const { replicas, framework, mxnet } = training.spec;
  switch (framework) {
    case 'pytorch':
      return torchrunEnv(training);
    case 'jax':
      return jaxEnv(training);
    case 'tensorflow':
      return plain({ TF_CONFIG: tfConfig(training, role) });
    case 'mxnet':
      if (mxnet?.servers === 0) return [];
      return plain({
        DMLC_ROLE: role,
        DMLC_PS_ROOT_URI: masterOf(training),
        DMLC_PS_ROOT_PORT: MASTER_PORT,
        DMLC_NUM_WORKER: replicas,
        DMLC_NUM_SERVER: mxnet?.servers ?? 1,
        // The scheduler binds to what is in DMLC_PS_ROOT_URI else, and a socket binds to no DNS name (ps-lite, zmq_van.h, Bind).
        DMLC_USE_KUBERNETES: 1,
      });
    case 'mpi':
      return role === 'launcher' ? LAUNCHER_ENV : [];
  }
}

/**
 * The arguments of torchrun: with a rendezvous where pods may come and go, else with fixed ranks.
 *
 * When a pod goes, the processes of the others fail. torchrun starts these again, in a smaller group, only as often as
 * PET_MAX_RESTARTS says; its default is 0, with which all the others end as well (torch 2.13.0,
 * elastic/agent/server/api.py, SimpleElasticAgent._invoke_run). Each pod counts for itself, and pods that come do not count.
 *
 * A pod that comes asks the store of the round where the first process listens. Where agents share their store with the
 * processes, which is the default, only the first round says that: the new pod waits for it, and all end after a minute
 * (elastic/rendezvous/dynamic_rendezvous.py, DynamicRendezvousHandler.next_rendezvous). Not shared, each round says it.
 */
function torchrunEnv(training: Named): readonly EnvVar[] {
  const { name, spec, attempt } = training;
  const { elastic, replicas } = spec;
  const processes = plain({ PET_NPROC_PER_NODE: procsPerNodeOf(spec) });
  const master = masterOf(training);
  if (elastic) {
    return [
      ...processes,
      ...plain({
        PET_NNODES: `${elastic.minReplicas}:${elastic.maxReplicas}`,
        PET_RDZV_BACKEND: 'c10d',
        PET_RDZV_ENDPOINT: `${master}:${MASTER_PORT}`,
        PET_RDZV_ID: `${name}-${attempt}`,
        PET_MAX_RESTARTS: MOST_REMOVALS,
        TORCH_DISABLE_SHARE_RDZV_TCP_STORE: 1,
      }),
    ];
  }
  return [
    ...processes,
    ...plain({ PET_NNODES: replicas, PET_MASTER_ADDR: master, PET_MASTER_PORT: MASTER_PORT }),
    fromIndex('PET_NODE_RANK'),
    // For a program that is run without torchrun, which sets them itself for each process that it starts.
    ...(procsPerNodeOf(spec) === 1 ? plain({ LOCAL_RANK: 0, LOCAL_WORLD_SIZE: 1 }) : []),
  ];
}

/**
 * JAX itself reads the coordinator's address and the devices, and no number of processes and no id: these are for the
 * program to pass on. Where it knows the devices, it asks no cluster about itself: with the Python package `kubernetes` in
 * the image it would ask the API server, for which pods have no token (jax 0.10.2, _src/distributed.py, State.initialize;
 * _src/clusters/k8s_cluster.py, is_env_present).
 */
function jaxEnv(training: Named): readonly EnvVar[] {
  const { replicas, resources } = training.spec;
  const devices = Array.from({ length: Math.max(1, resources.gpu) }, (_, index) => index);
  return [
    ...plain({
      JAX_COORDINATOR_ADDRESS: `${masterOf(training)}:${MASTER_PORT}`,
      JAX_LOCAL_DEVICE_IDS: devices.join(','),
      JAX_NUM_PROCESSES: replicas,
    }),
    fromIndex('JAX_PROCESS_ID'),
  ];
}

/** All addresses, and who this pod is. Kubernetes puts in the index, of which the template of all pods knows nothing. */
function tfConfig(training: Named, role: RoleName): string {
  const cluster = Object.fromEntries(
    rolesOf(training.spec).all.map(({ name, count }) => [
      name,
      Array.from({ length: count }, (_, index) => `${hostOf(training, name, index)}:${MASTER_PORT}`),
    ]),
  );
  return JSON.stringify({ cluster, task: { type: role, index: 0 } }).replace('"index":0', '"index":$(RANK)');
}
