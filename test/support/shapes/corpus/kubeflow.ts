import { documentsOf } from './document.ts';

/** Resources of Kubeflow's users, by the fields that they have: written for this test. */
export const KUBEFLOW = documentsOf(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: pytorch-simple, namespace: kubeflow}
spec:
  pytorchReplicaSpecs:
    Master: &replica
      replicas: 1
      restartPolicy: OnFailure
      template:
        spec:
          containers:
            - {name: pytorch, image: "registry.example.com/mnist:1", imagePullPolicy: Always, command: [python3, /opt/mnist.py, --epochs=1]}
    Worker: *replica
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: queued, labels: {kueue.x-k8s.io/queue-name: user-queue}}
spec:
  runPolicy: {suspend: true, cleanPodPolicy: None, schedulingPolicy: {minAvailable: 4}}
  nprocPerNode: auto
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      restartPolicy: Never
      template:
        metadata: {annotations: {sidecar.istio.io/inject: "false"}, labels: {team: a}}
        spec:
          containers:
            - name: pytorch
              image: registry.example.com/train:1
              command: [torchrun, train.py]
              resources: {limits: {nvidia.com/gpu: 2, memory: 20Gi}, requests: {cpu: "4", memory: 10Gi}}
              volumeMounts: [{name: shm, mountPath: /dev/shm}]
          volumes: [{name: shm, emptyDir: {medium: Memory}}]
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: elastic-imagenet}
spec:
  elasticPolicy: {rdzvBackend: c10d, minReplicas: 1, maxReplicas: 3, maxRestarts: 100}
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      restartPolicy: OnFailure
      template:
        spec:
          containers:
            - {name: pytorch, image: "registry.example.com/imagenet:1", env: [{name: LOGLEVEL, value: DEBUG}], command: [python, -m, torch.distributed.run, train.py]}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: with-sidecar}
spec:
  runPolicy: {activeDeadlineSeconds: 3600, ttlSecondsAfterFinished: 600, backoffLimit: 2}
  pytorchReplicaSpecs:
    Master:
      template:
        spec:
          initContainers: [{name: data, image: "busybox:1", command: [wget, "http://data/set"]}]
          containers:
            - {name: logs, image: "fluentbit:1"}
            - {name: pytorch, image: "registry.example.com/train:1", resources: {limits: {nvidia.com/gpu: "1", vpc.amazonaws.com/efa: 1}}}
          hostNetwork: true
          securityContext: {runAsUser: 0}
          schedulerName: volcano
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: pytorch-mnist}
spec:
  runtimeRef: {name: torch-distributed}
  trainer: {numNodes: 2, numProcPerNode: 4, image: "registry.example.com/train:1", command: [torchrun, train.py], resourcesPerNode: {limits: {nvidia.com/gpu: "4"}}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: queued-trainjob, labels: {kueue.x-k8s.io/queue-name: user-queue}}
spec:
  suspend: true
  runtimeRef: {apiGroup: trainer.kubeflow.org, kind: ClusterTrainingRuntime, name: jax-distributed}
  trainer: {image: "registry.example.com/jax:1"}
  managedBy: kueue.x-k8s.io/multikueue
---
# missing: spec.framework
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: own-runtime}
spec:
  runtimeRef: {name: team-torch, kind: TrainingRuntime}
  trainer: {image: "registry.example.com/train:1"}
  podTemplateOverrides: [{targetJobs: [{name: node}], spec: {nodeSelector: {zone: a}}}]
---
# missing: spec.command
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: deepspeed}
spec:
  runtimeRef: {name: deepspeed-distributed}
  initializer: {model: {storageUri: hf://owner/model}}
  trainer: {image: "registry.example.com/train:1", numNodes: 2, resourcesPerNode: {requests: {cpu: 0.5}}}
---
# missing: spec.image
apiVersion: kubeflow.org/v2alpha1
kind: TrainJob
metadata: {name: early}
spec: {runtimeRef: {name: torch-distributed}, trainer: {numNodes: 3, numProcPerNode: "2"}}
---
# missing: spec.image
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: tune-llama}
spec:
  runtimeRef: {name: torchtune-llama3.2-1b}
  initializer: {dataset: {storageUri: hf://tatsu-lab/alpaca}, model: {storageUri: hf://meta-llama/Llama-3.2-1B-Instruct, secretRef: {name: hf}}}
`);
