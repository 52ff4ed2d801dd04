import { PYTORCH_JOB } from './kubeflow.ts';

/** spec of kubeflow.org/v1 TFJob: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_tfjobs.yaml */
export const TF_JOB = `
  enableDynamicWorker:bool runPolicy{ activeDeadlineSeconds:int backoffLimit:int cleanPodPolicy managedBy
  schedulingPolicy{ minAvailable:int minResources{ *:amount } priorityClass queue scheduleTimeoutSeconds:int }
  suspend:bool ttlSecondsAfterFinished:int } successPolicy tfReplicaSpecs{ *{ replicas:int restartPolicy template{
  metadata{ annotations{ * } finalizers[] labels{ * } name namespace } spec:PodSpec } } }
`;

/** spec of kubeflow.org/v1 JAXJob: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_jaxjobs.yaml */
export const JAX_JOB = `
  jaxReplicaSpecs{ *{ replicas:int restartPolicy template{ metadata{ annotations{ * } finalizers[] labels{ * } name
  namespace } spec:PodSpec } } } runPolicy{ activeDeadlineSeconds:int backoffLimit:int cleanPodPolicy managedBy
  schedulingPolicy{ minAvailable:int minResources{ *:amount } priorityClass queue scheduleTimeoutSeconds:int }
  suspend:bool ttlSecondsAfterFinished:int }
`;

/** spec of kubeflow.org/v1 XGBoostJob: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_xgboostjobs.yaml */
export const XGBOOST_JOB = `
  runPolicy{ activeDeadlineSeconds:int backoffLimit:int cleanPodPolicy managedBy schedulingPolicy{ minAvailable:int
  minResources{ *:amount } priorityClass queue scheduleTimeoutSeconds:int } suspend:bool ttlSecondsAfterFinished:int
  } xgbReplicaSpecs{ *{ replicas:int restartPolicy template{ metadata{ annotations{ * } finalizers[] labels{ * }
  name namespace } spec:PodSpec } } }
`;

/** spec of kubeflow.org/v1 MPIJob: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_mpijobs.yaml */
export const MPI_JOB = `
  cleanPodPolicy mainContainer mpiReplicaSpecs{ *{ replicas:int restartPolicy template{ metadata{ annotations{ * }
  finalizers[] labels{ * } name namespace } spec:PodSpec } } } runPolicy{ activeDeadlineSeconds:int backoffLimit:int
  cleanPodPolicy managedBy schedulingPolicy{ minAvailable:int minResources{ *:amount } priorityClass queue
  scheduleTimeoutSeconds:int } suspend:bool ttlSecondsAfterFinished:int } slotsPerWorker:int
`;

/** spec of kubeflow.org/v2beta1 MPIJob: kubeflow/mpi-operator v0.8.0, manifests/base/kubeflow.org_mpijobs.yaml */
export const MPI_JOB_V2BETA1 = `
  launcherCreationPolicy mpiImplementation:OpenMPI|Intel|MPICH mpiReplicaSpecs{ *{ replicas:int restartPolicy
  template{ metadata{ annotations{ * } finalizers[] labels{ * } name namespace } spec{ ...PodSpec workloadRef{ name
  podGroup podGroupReplicaKey } } } } } runLauncherAsWorker:bool runPolicy{ activeDeadlineSeconds:int
  backoffLimit:int cleanPodPolicy managedBy schedulingPolicy{ minAvailable:int minResources{ *:amount }
  priorityClass queue scheduleTimeoutSeconds:int } suspend:bool ttlSecondsAfterFinished:int } slotsPerWorker:int
  sshAuthMountPath
`;

/** spec of batch/v1 Job, but for its pod: k8s.io/api v0.34.0, batch/v1/types.go */
const JOB = `
  activeDeadlineSeconds:int backoffLimit:int backoffLimitPerIndex:int completionMode completions:int managedBy
  manualSelector:bool maxFailedIndexes:int parallelism:int podFailurePolicy{ rules[]{ action onExitCodes{ containerName
  operator values[]:int } onPodConditions[]{ status type } } } podReplacementPolicy selector:LabelSelector
  successPolicy{ rules[]{ succeededCount:int succeededIndexes } } suspend:bool ttlSecondsAfterFinished:int template{
  metadata{ annotations{ * } finalizers[] labels{ * } name namespace } spec:PodSpec }
`;

/** spec of kubeflow.org/v1beta1 Experiment, its trial apart: kubeflow/katib v0.19.0, pkg/apis/controller/experiments/v1beta1/experiment_types.go */
const EXPERIMENT = `
  parameters[]{ name parameterType feasibleSpace{ max min list[] step distribution } } objective{ type goal:number
  objectiveMetricName additionalMetricNames[] metricStrategies[]{ name value } } algorithm{ algorithmName
  algorithmSettings[]{ name value } } earlyStopping{ algorithmName algorithmSettings[]{ name value } }
  parallelTrialCount:int maxTrialCount:int maxFailedTrialCount:int metricsCollectorSpec{ source{ httpGet{ host
  httpHeaders[]{ name value } path port:amount scheme } fileSystemPath{ path kind format } filter{ metricsFormat[] } }
  collector{ kind customCollector:Container } } nasConfig{ graphConfig{ numLayers:int inputSizes[]:int
  outputSizes[]:int } operations[]{ operationType parameters[]{ name parameterType } } } resumePolicy
`;

const TRIAL_TEMPLATE = `retain:bool configMap{ configMapName configMapNamespace templatePath } trialParameters[]{ name
  description reference } primaryPodLabels{ * } primaryContainerName successCondition failureCondition`;

const experimentOf = (trial: string): string =>
  `${EXPERIMENT} trialTemplate{ ${TRIAL_TEMPLATE} trialSpec{ ${trial} } }`;

/** The same, with a Job as its trial. */
export const EXPERIMENT_OF_JOBS = experimentOf(`metadata{ labels{ * } name } spec{ ${JOB} }`);

/** The same, with a PyTorchJob as its trial. */
export const EXPERIMENT_OF_PYTORCH_JOBS = experimentOf(`spec{ ${PYTORCH_JOB} }`);
