/** spec of kubeai.org/v1 Model: kubeai-project/kubeai v0.22.1, manifests/crds/kubeai.org_models.yaml */
export const MODEL = `
  adapters[]{ name url } args[] autoscalingDisabled:bool cacheProfile engine:OLlama|VLLM|FasterWhisper|Infinity env{
  * } envFrom[]:EnvFrom features[]:TextGeneration|TextEmbedding|Reranking|SpeechToText files[]{ content path } image
  loadBalancing{ prefixHash{ meanLoadFactor:int prefixCharLength:int replication:int } strategy:LeastLoad|PrefixHash
  } maxReplicas:int minReplicas:int owner priorityClassName replicas:int resourceProfile scaleDownDelaySeconds:int
  targetRequests:int url
`;
