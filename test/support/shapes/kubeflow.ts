/** spec of kubeflow.org/v1 PyTorchJob: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_pytorchjobs.yaml */
export const PYTORCH_JOB = `
  elasticPolicy{ maxReplicas:int maxRestarts:int metrics[]{ containerResource{ container name target{
  averageUtilization:int averageValue:amount type value:amount } } external{ metric{ name selector:LabelSelector }
  target{ averageUtilization:int averageValue:amount type value:amount } } object{ describedObject{ apiVersion kind
  name } metric{ name selector:LabelSelector } target{ averageUtilization:int averageValue:amount type value:amount
  } } pods{ metric{ name selector:LabelSelector } target{ averageUtilization:int averageValue:amount type
  value:amount } } resource{ name target{ averageUtilization:int averageValue:amount type value:amount } } type }
  minReplicas:int nProcPerNode:int rdzvBackend rdzvConf[]{ key value } rdzvHost rdzvId rdzvPort:int standalone:bool
  } nprocPerNode pytorchReplicaSpecs{ *{ replicas:int restartPolicy template{ metadata{ annotations{ * }
  finalizers[] labels{ * } name namespace } spec:PodSpec } } } runPolicy{ activeDeadlineSeconds:int backoffLimit:int
  cleanPodPolicy managedBy schedulingPolicy{ minAvailable:int minResources{ *:amount } priorityClass queue
  scheduleTimeoutSeconds:int } suspend:bool ttlSecondsAfterFinished:int }
`;

/** spec of trainer.kubeflow.org/v1alpha1 TrainJob: kubeflow/trainer v2.3.0, manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml */
export const TRAIN_JOB = `
  activeDeadlineSeconds:int initializer{ dataset{ env[]:EnvVar secretRef{ name } storageUri } model{ env[]:EnvVar
  secretRef{ name } storageUri } } managedBy runtimePatches[]{ manager time trainingRuntimeSpec{ template{ metadata{
  annotations{ * } finalizers[] labels{ * } name namespace } spec{ replicatedJobs[]{ name template{ metadata{
  annotations{ * } finalizers[] labels{ * } name namespace } spec{ template{ metadata{ annotations{ * } finalizers[]
  labels{ * } name namespace } spec{ affinity:Affinity containers[]{ env[]:EnvVar name
  securityContext:SecurityContext volumeMounts[]:VolumeMount } imagePullSecrets[]{ name } initContainers[]{
  env[]:EnvVar name securityContext:SecurityContext volumeMounts[]:VolumeMount } nodeSelector{ * }
  schedulingGates[]{ name } securityContext:PodSecurityContext serviceAccountName terminationGracePeriodSeconds:int
  tolerations[]:Toleration volumes[]:Volume } } } } } } } } } runtimeRef{ apiGroup kind name } suspend:bool trainer{
  args[] command[] env[]:EnvVar image numNodes:int numProcPerNode:int resourcesPerNode:Resources }
`;

/** the same: kubeflow/trainer v2.0.0 */
export const TRAIN_JOB_2_0 = `
  annotations{ * } initializer{ dataset{ env[]:EnvVar secretRef{ name } storageUri } model{ env[]:EnvVar secretRef{
  name } storageUri } } labels{ * } managedBy podSpecOverrides[]{ containers[]{ env[]:EnvVar name
  volumeMounts[]:VolumeMount } initContainers[]{ env[]:EnvVar name volumeMounts[]:VolumeMount } nodeSelector{ * }
  schedulingGates[]{ name } serviceAccountName targetJobs[]{ name } tolerations[]:Toleration volumes[]:Volume }
  runtimeRef{ apiGroup kind name } suspend:bool trainer{ args[] command[] env[]:EnvVar image numNodes:int
  numProcPerNode:amount resourcesPerNode:Resources }
`;

/** spec of kubeflow.org/v2alpha1 TrainJob: kubeflow/training-operator v1.9.0, manifests/v2/base/crds/kubeflow.org_trainjobs.yaml */
export const TRAIN_JOB_V2ALPHA1 = `
  annotations{ * } datasetConfig{ env[]:EnvVar secretRef{ name } storageUri } labels{ * } managedBy modelConfig{
  input{ env[]:EnvVar secretRef{ name } storageUri } output{ env[]:EnvVar secretRef{ name } storageUri } }
  podSpecOverrides[]{ containers[]{ args[] command[] env[]:EnvVar envFrom[]:EnvFrom name volumeMounts[]:VolumeMount
  } initContainers[]{ args[] command[] env[]:EnvVar envFrom[]:EnvFrom name volumeMounts[]:VolumeMount }
  nodeSelector{ * } serviceAccountName targetJobs[]{ name } tolerations[]:Toleration volumes[]:Volume } runtimeRef{
  apiGroup kind name } suspend:bool trainer{ args[] command[] env[]:EnvVar image numNodes:int numProcPerNode
  resourcesPerNode:Resources }
`;
