import { documentsOf } from './document.ts';

/** Resources of KubeAI's and kagent's users, by the fields that they have: written for this test. */
export const KUBEAI = documentsOf(`
apiVersion: kubeai.org/v1
kind: Model
metadata: {name: llama-3.1-8b-instruct-fp8-l4}
spec:
  features: [TextGeneration]
  owner: neuralmagic
  url: hf://neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8
  engine: VLLM
  args: [--max-model-len=16384, --max-num-batched-token=16384, --gpu-memory-utilization=0.9, --disable-log-requests]
  resourceProfile: nvidia-gpu-l4:1
  minReplicas: 1
---
apiVersion: kubeai.org/v1
kind: Model
metadata: {name: 70b.example}
spec:
  features: [TextGeneration]
  url: hf://owner/model
  engine: VLLM
  args: [--tensor-parallel-size=8, --pipeline-parallel-size=1]
  resourceProfile: nvidia-gpu-h100:8
  targetRequests: 100
  scaleDownDelaySeconds: 600
  maxReplicas: 3
  minReplicas: 0
---
apiVersion: kubeai.org/v1
kind: Model
metadata: {name: minio}
spec:
  features: [TextGeneration]
  url: s3://models/llama
  engine: VLLM
  env: {AWS_ENDPOINT_URL: "http://minio.storage:9000", HF_TOKEN: token, AWS_REGION: us-east-1}
  envFrom: [{secretRef: {name: aws}}]
  cacheProfile: standard
  resourceProfile: nvidia-gpu-l4:1
  priorityClassName: high
---
# missing: spec.engine.image, spec.model.uri
apiVersion: kubeai.org/v1
kind: Model
metadata: {name: gemma2-2b-cpu}
spec: {features: [TextGeneration], url: "ollama://gemma2:2b", engine: OLlama, resourceProfile: "cpu:2", replicas: 1}
---
# missing: spec.engine.image
apiVersion: kubeai.org/v1
kind: Model
metadata: {name: faster-whisper}
spec: {features: [SpeechToText], url: hf://Systran/faster-whisper-medium-en, engine: FasterWhisper, resourceProfile: "cpu:1", minReplicas: 0}
---
apiVersion: kubeai.org/v1
kind: Model
metadata: {name: claimed}
spec:
  features: [TextEmbedding]
  url: pvc://models/bge
  engine: VLLM
  args: ["--task", embed]
  resourceProfile: nvidia-gpu-l4:1
  autoscalingDisabled: true
  replicas: 2
  loadBalancing: {strategy: PrefixHash, prefixHash: {meanLoadFactor: 125}}
  files: [{path: /config/a.json, content: "{}"}]
  adapters: [{name: sql, url: hf://owner/adapter}]
`);

/** Resources of kagent's users, likewise. */
export const KAGENT = documentsOf(`
# missing: spec.model
apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata: {name: basic-agent, namespace: kagent}
spec:
  type: BYO
  description: answers
  byo:
    deployment:
      image: registry.example.com/agent:1
      cmd: /app
      args: [--debug]
      env: [{name: GOOGLE_API_KEY, valueFrom: {secretKeyRef: {name: google, key: key}}}]
      replicas: 2
      resources: {requests: {cpu: 50m, memory: 64Mi}, limits: {cpu: 500m, memory: 512Mi}}
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      volumeMounts: [{name: data, mountPath: /data}]
      extraContainers: [{name: proxy, image: "envoy:1"}]
---
# missing: spec.image, spec.model
apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata: {name: k8s-agent}
spec:
  type: Declarative
  declarative:
    modelConfig: default
    systemMessage: You help.
    stream: true
    tools: [{type: McpServer, mcpServer: {apiGroup: kagent.dev, kind: RemoteMCPServer, name: tools, toolNames: [get, list]}}]
    a2aConfig: {skills: [{id: a, name: b, description: c}]}
    deployment: {nodeSelector: {zone: a}, imagePullSecrets: [{name: registry}]}
`);
