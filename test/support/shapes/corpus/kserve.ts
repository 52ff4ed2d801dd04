import { documentsOf } from './document.ts';

/** Resources of KServe's users, by the fields that they have: written for this test. */
export const KSERVE = documentsOf(`
# missing: spec.engine.image
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: iris, namespace: kserve-test}
spec:
  predictor:
    model: {modelFormat: {name: sklearn}, protocolVersion: v2, runtime: kserve-sklearnserver, storageUri: "gs://models/iris"}
---
# missing: spec.engine.image
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: mnist}
spec:
  predictor:
    pytorch: {storageUri: "gs://models/torchserve/mnist", args: [--ts-config=/mnt/models/config/config.properties]}
---
# missing: spec.engine.image
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: cifar, annotations: {serving.kserve.io/deploymentMode: RawDeployment}}
spec:
  predictor:
    model: {modelFormat: {name: pytorch, version: "2"}, storageUri: "gs://models/cifar", resources: {limits: {cpu: 0.1, memory: 1Gi}}}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: llama3
  annotations: {sidecar.istio.io/inject: "false", autoscaling.knative.dev/target: "1"}
  labels: {team: search, app.kubernetes.io/part-of: chat}
spec:
  predictor:
    minReplicas: 1
    maxReplicas: 1
    model:
      modelFormat: {name: huggingface}
      args: [--model_name=llama3, --model_id=meta-llama/Meta-Llama-3-8B-Instruct, --max_model_len=8192, --backend=vllm]
      env:
        - name: HF_TOKEN
          valueFrom: {secretKeyRef: {name: hf-secret, key: HF_TOKEN, optional: false}}
      resources:
        limits: {cpu: "6", memory: 24Gi, nvidia.com/gpu: "1"}
        requests: {cpu: "6", memory: 24Gi, nvidia.com/gpu: "1"}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: qwen-2.5, namespace: llm}
spec:
  predictor:
    tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
    deploymentStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
    model:
      modelFormat: {name: vLLM}
      storageUri: hf://Qwen/Qwen2.5-7B-Instruct:main
      args: [--served-model-name, qwen, --tensor-parallel-size=2, "--chat-template", /mnt/models/chat.jinja]
      resources: {limits: {nvidia.com/gpu: 2}}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: llama-dir}
spec:
  predictor:
    model:
      modelFormat: {name: huggingface}
      storageUri: "s3://models/llama"
      args: [--model_dir=/mnt/models, --model_name, llama, --dtype=half]
      resources: {limits: {nvidia.com/gpu: "4"}, requests: {cpu: "8"}}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: own-container}
spec:
  predictor:
    imagePullSecrets: [{name: registry}]
    containers:
      - name: kserve-container
        image: registry.example.com/serve:1.0.0
        command: [sh, -c]
        args: ["python -m serve --model /mnt/models --port 8080"]
        ports: [{containerPort: 8080, protocol: TCP, name: http1}]
        env: [{name: MODEL_DIR, value: /mnt/models}, {name: POD, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: metadata.name}}}]
        resources: {requests: {cpu: 100m, memory: 256Mi}, limits: {memory: 256Mi}}
    volumes: [{name: cfg, configMap: {name: cfg}}]
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: triton-onnx}
spec:
  predictor:
    triton: {storageUri: "pvc://models/repository", runtimeVersion: 23.05-py3, args: [--model-repository=/mnt/models, --log-verbose=1]}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: flowers}
spec:
  predictor:
    maxReplicas: 5
    scaleMetric: cpu
    scaleTarget: 70
    tensorflow:
      storageUri: pvc://models/flowers
      args: [--model_name=flowers, --enable_batching]
      resources: {requests: {cpu: 1500m}}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: efa, annotations: {prometheus.io/scrape: "true"}}
spec:
  predictor:
    priorityClassName: high
    initContainers: [{name: warm, image: "busybox:1", command: [sh, -c, "true"]}]
    terminationGracePeriodSeconds: 300
    model:
      modelFormat: {name: vllm}
      storageUri: hf://owner/big
      resources:
        limits: {nvidia.com/gpu: 8, vpc.amazonaws.com/efa: 4, hugepages-2Mi: 5Gi, memory: 800Gi}
    containers:
      - {name: proxy, image: "envoy:1", ports: [{containerPort: 9901}]}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: inferentia}
spec:
  predictor:
    model:
      modelFormat: {name: vllm}
      image: registry.example.com/vllm/neuron:1
      storageUri: hf://owner/model
      resources: {limits: {aws.amazon.com/neuron: 1}}
---
# missing: spec.resources.gpu
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: dra
  annotations: {serving.kserve.io/exp-dra-device-class: gpu.nvidia.com, serving.kserve.io/exp-dra-device-count: "2"}
spec:
  predictor: {model: {modelFormat: {name: huggingface}, storageUri: hf://owner/model}}
---
apiVersion: serving.kserve.io/v1alpha1
kind: LLMInferenceService
metadata: {name: facebook-opt-125m}
spec:
  model: {uri: hf://facebook/opt-125m, name: facebook/opt-125m}
  replicas: 1
  router: {route: {}, gateway: {}, scheduler: {}}
  template:
    containers:
      - name: main
        image: public.ecr.aws/vllm/vllm-cpu-release-repo:v0.9.0
        env: [{name: VLLM_LOGGING_LEVEL, value: DEBUG}]
        resources: {limits: {cpu: "1", memory: 10Gi}, requests: {cpu: 100m, memory: 8Gi}}
        livenessProbe: {initialDelaySeconds: 30, periodSeconds: 30}
---
apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: {name: deepseek-r1-0528, labels: {kueue.x-k8s.io/queue-name: llm}}
spec:
  model: {uri: pvc://weights/deepseek, name: deepseek}
  parallelism: {tensor: 8, expert: true, data: 16, dataLocal: 8}
  scaling: {minReplicas: 1, maxReplicas: 3}
  labels: {team: llm}
  template:
    containers:
      - name: main
        image: registry.example.com/vllm:1
        command: [vllm, serve]
        args: [/mnt/models, --port=8001, --max-model-len=4096]
        resources: {limits: {nvidia.com/gpu: "8", rdma/ib: 1, cpu: "64"}, requests: {cpu: "64"}}
---
apiVersion: serving.kserve.io/v1alpha1
kind: LLMInferenceService
metadata: {name: by-shell}
spec:
  model: {uri: hf://Qwen/Qwen3-32B}
  template:
    containers:
      - name: main
        image: registry.example.com/vllm:1
        command: [/bin/sh, -c]
        args: ["exec vllm serve /mnt/models --served-model-name qwen"]
        resources: {limits: {nvidia.com/gpu: "1"}}
`);
