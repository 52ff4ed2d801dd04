import { changed, taken, reported } from './fates.ts';
import type { Fields } from './fields.ts';
import { replicaJob } from './replica-job.ts';
import type { Replicas } from './replica-job.ts';
import { countOf, envWith, ranksOf } from './training.ts';

/**
 * TensorFlow's: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_tfjobs.yaml. Its default policy and
 * what a Chief is are in pkg/apis/kubeflow.org/v1/tensorflow_types.go.
 */
export const tfJob = replicaJob({
  kind: 'TFJob',
  field: 'tfReplicaSpecs',
  roles: ['Worker', 'Chief', 'Master', 'PS'],
  container: 'tensorflow',
  unspecified: 'Never',
  fates: {
    'spec.tfReplicaSpecs.Chief.replicas': changed('spec.tensorflow.chief'),
    'spec.tfReplicaSpecs.Master.replicas': changed('spec.tensorflow.chief'),
    'spec.tfReplicaSpecs.PS.replicas': taken('spec.tensorflow.parameterServers'),
    'spec.tfReplicaSpecs.Evaluator': reported('an evaluator is no rank here: run it as a training of its own'),
    'spec.successPolicy': reported('the end of the chief is the end, or that of all workers where there is no chief', [
      '',
    ]),
    'spec.enableDynamicWorker': reported(
      'all workers are named in TF_CONFIG; a change of replicas starts a new attempt',
      [false],
    ),
  },
  rest(_, { Worker: workers, Chief: chief, Master: master, PS: servers }) {
    const lead = chief ?? master;
    const count = countOf(workers);
    const leads = countOf(chief) + countOf(master);
    const isAlone = count === 0;
    if (lead !== undefined) {
      for (const each of [chief, master]) each?.note('replicas', isAlone ? ALONE : `is ${LEADS}`);
    }
    return {
      framework: 'tensorflow',
      replicas: isAlone ? ranksOf(leads > 0 ? [chief, master] : [workers]) : count,
      tensorflow: {
        chief: !isAlone && leads > 0,
        ...(servers !== undefined && { parameterServers: countOf(servers) }),
      },
    };
  },
});

const LEADS = 'tensorflow.chief here, which is one rank, and chief in TF_CONFIG';
const ALONE = 'is a worker here, and the first worker is the chief';

/** JAX's: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_jaxjobs.yaml and pkg/controller.v1/jax/envvar.go; its default policy: pkg/apis/kubeflow.org/v1/jax_types.go. */
export const jaxJob = replicaJob({
  kind: 'JAXJob',
  field: 'jaxReplicaSpecs',
  roles: ['Worker'],
  container: 'jax',
  unspecified: 'Never',
  fates: {},
  rest: (fields, replicas, container) => ({
    framework: 'jax',
    ...onePerPod(fields, replicas),
    ...envWith(fields, container, {
      COORDINATOR_ADDRESS: '$(MASTER_ADDR)',
      COORDINATOR_PORT: '$(MASTER_PORT)',
      NUM_PROCESSES: '$(WORLD_SIZE)',
      PROCESS_ID: '$(RANK)',
    }),
  }),
});

/**
 * XGBoost's and LightGBM's: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_xgboostjobs.yaml and
 * pkg/controller.v1/xgboost/xgboost.go, whose variables are those of pytorch here.
 */
export const xgboostJob = replicaJob({
  kind: 'XGBoostJob',
  field: 'xgbReplicaSpecs',
  roles: ['Worker', 'Master'],
  container: 'xgboost',
  unspecified: 'Never',
  fates: {},
  rest(fields, replicas) {
    fields.report(
      'spec.framework',
      'is pytorch, which sets MASTER_ADDR, MASTER_PORT, WORLD_SIZE and RANK as XGBoostJob does; WORKER_ADDRS and WORKER_PORT of LightGBM are not set',
    );
    return { framework: 'pytorch', ...onePerPod(fields, replicas) };
  },
});

/** Kubeflow counts one process a pod. */
function onePerPod(fields: Fields, replicas: Replicas): object {
  fields.report('spec.procsPerNode', 'is 1, as Kubeflow counts: WORLD_SIZE is the number of pods');
  return { replicas: ranksOf(Object.values(replicas)), procsPerNode: 1 };
}
