/** spec of serving.kserve.io/v1beta1 InferenceService: kserve/kserve v0.20.0, config/crd/full/serving.kserve.io_inferenceservices.yaml */
export const INFERENCE_SERVICE = `
  canary[]{ predictor{ ...PodSpec annotations{ * } autoScaling{ behavior{ scaleDown{ policies[]{ periodSeconds:int
  type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } scaleUp{ policies[]{
  periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } } metrics[]{
  external{ authenticationRef{ authModes authenticationRef{ name } } metric{ backend:prometheus|graphite namespace
  query serverAddress } target{ averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue
  value:amount } } podmetric{ metric{ backend:opentelemetry metricNames[] operationOverTime query serverAddress }
  target{ averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue value:amount } } resource{
  name:cpu|memory target{ averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue
  value:amount } } type:Resource|External|PodMetric } } batcher{ maxBatchSize:int maxLatency:int timeout:int }
  canaryTrafficPercent:int containerConcurrency:int deploymentStrategy{ rollingUpdate{ maxSurge:amount
  maxUnavailable:amount } type } huggingface{ ...Container confidential{ enabled:bool resourceId } protocolVersion
  runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } labels{ * } lightgbm{ ...Container
  confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * } path
  schemaPath } storageUri } logger{ batchInterval batchSize:int marshallerUrl metadataAnnotations[]
  metadataHeaders[] mode:all|request|response storage{ key parameters{ * } path serviceAccountName } url }
  maxReplicas:int minReplicas:int model{ ...Container confidential{ enabled:bool resourceId } modelFormat{ name
  version } protocolVersion runtime runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } name
  onnx{ ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{
  * } path schemaPath } storageUri } paddle{ ...Container confidential{ enabled:bool resourceId } protocolVersion
  runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } pmml{ ...Container confidential{
  enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri
  } pytorch{ ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key
  parameters{ * } path schemaPath } storageUri } scaleMetric:cpu|memory|concurrency|rps
  scaleMetricType:Utilization|Value|AverageValue scaleTarget:int sklearn{ ...Container confidential{ enabled:bool
  resourceId } protocolVersion runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri }
  storageContainerName storageUris[]{ mountPath uri } tensorflow{ ...Container confidential{ enabled:bool resourceId
  } protocolVersion runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } timeout:int triton{
  ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * }
  path schemaPath } storageUri } workerSpec{ ...PodSpec pipelineParallelSize:int tensorParallelSize:int } xgboost{
  ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * }
  path schemaPath } storageUri } } trafficPercent:int } explainer{ ...PodSpec annotations{ * } art{ ...Container
  config{ * } runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri type } autoScaling{ behavior{
  scaleDown{ policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int
  tolerance:amount } scaleUp{ policies[]{ periodSeconds:int type value:int } selectPolicy
  stabilizationWindowSeconds:int tolerance:amount } } metrics[]{ external{ authenticationRef{ authModes
  authenticationRef{ name } } metric{ backend:prometheus|graphite namespace query serverAddress } target{
  averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue value:amount } } podmetric{ metric{
  backend:opentelemetry metricNames[] operationOverTime query serverAddress } target{ averageUtilization:int
  averageValue:amount type:Utilization|Value|AverageValue value:amount } } resource{ name:cpu|memory target{
  averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue value:amount } }
  type:Resource|External|PodMetric } } batcher{ maxBatchSize:int maxLatency:int timeout:int }
  canaryTrafficPercent:int containerConcurrency:int deploymentStrategy{ rollingUpdate{ maxSurge:amount
  maxUnavailable:amount } type } labels{ * } logger{ batchInterval batchSize:int marshallerUrl metadataAnnotations[]
  metadataHeaders[] mode:all|request|response storage{ key parameters{ * } path serviceAccountName } url }
  maxReplicas:int minReplicas:int scaleMetric:cpu|memory|concurrency|rps
  scaleMetricType:Utilization|Value|AverageValue scaleTarget:int storageUris[]{ mountPath uri } timeout:int }
  predictor{ ...PodSpec annotations{ * } autoScaling{ behavior{ scaleDown{ policies[]{ periodSeconds:int type
  value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } scaleUp{ policies[]{ periodSeconds:int
  type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } } metrics[]{ external{
  authenticationRef{ authModes authenticationRef{ name } } metric{ backend:prometheus|graphite namespace query
  serverAddress } target{ averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue
  value:amount } } podmetric{ metric{ backend:opentelemetry metricNames[] operationOverTime query serverAddress }
  target{ averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue value:amount } } resource{
  name:cpu|memory target{ averageUtilization:int averageValue:amount type:Utilization|Value|AverageValue
  value:amount } } type:Resource|External|PodMetric } } batcher{ maxBatchSize:int maxLatency:int timeout:int }
  canaryTrafficPercent:int containerConcurrency:int deploymentStrategy{ rollingUpdate{ maxSurge:amount
  maxUnavailable:amount } type } huggingface{ ...Container confidential{ enabled:bool resourceId } protocolVersion
  runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } labels{ * } lightgbm{ ...Container
  confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * } path
  schemaPath } storageUri } logger{ batchInterval batchSize:int marshallerUrl metadataAnnotations[]
  metadataHeaders[] mode:all|request|response storage{ key parameters{ * } path serviceAccountName } url }
  maxReplicas:int minReplicas:int model{ ...Container confidential{ enabled:bool resourceId } modelFormat{ name
  version } protocolVersion runtime runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } name
  onnx{ ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{
  * } path schemaPath } storageUri } paddle{ ...Container confidential{ enabled:bool resourceId } protocolVersion
  runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } pmml{ ...Container confidential{
  enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri
  } pytorch{ ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key
  parameters{ * } path schemaPath } storageUri } scaleMetric:cpu|memory|concurrency|rps
  scaleMetricType:Utilization|Value|AverageValue scaleTarget:int sklearn{ ...Container confidential{ enabled:bool
  resourceId } protocolVersion runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri }
  storageContainerName storageUris[]{ mountPath uri } tensorflow{ ...Container confidential{ enabled:bool resourceId
  } protocolVersion runtimeVersion storage{ key parameters{ * } path schemaPath } storageUri } timeout:int triton{
  ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * }
  path schemaPath } storageUri } workerSpec{ ...PodSpec pipelineParallelSize:int tensorParallelSize:int } xgboost{
  ...Container confidential{ enabled:bool resourceId } protocolVersion runtimeVersion storage{ key parameters{ * }
  path schemaPath } storageUri } } transformer{ ...PodSpec annotations{ * } autoScaling{ behavior{ scaleDown{
  policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount }
  scaleUp{ policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int
  tolerance:amount } } metrics[]{ external{ authenticationRef{ authModes authenticationRef{ name } } metric{
  backend:prometheus|graphite namespace query serverAddress } target{ averageUtilization:int averageValue:amount
  type:Utilization|Value|AverageValue value:amount } } podmetric{ metric{ backend:opentelemetry metricNames[]
  operationOverTime query serverAddress } target{ averageUtilization:int averageValue:amount
  type:Utilization|Value|AverageValue value:amount } } resource{ name:cpu|memory target{ averageUtilization:int
  averageValue:amount type:Utilization|Value|AverageValue value:amount } } type:Resource|External|PodMetric } }
  batcher{ maxBatchSize:int maxLatency:int timeout:int } canaryTrafficPercent:int containerConcurrency:int
  deploymentStrategy{ rollingUpdate{ maxSurge:amount maxUnavailable:amount } type } labels{ * } logger{
  batchInterval batchSize:int marshallerUrl metadataAnnotations[] metadataHeaders[] mode:all|request|response
  storage{ key parameters{ * } path serviceAccountName } url } maxReplicas:int minReplicas:int
  scaleMetric:cpu|memory|concurrency|rps scaleMetricType:Utilization|Value|AverageValue scaleTarget:int
  storageUris[]{ mountPath uri } timeout:int }
`;

/** spec of serving.kserve.io/v1alpha2 LLMInferenceService: kserve/kserve v0.20.0, config/crd/full/llmisvc/serving.kserve.io_llminferenceservices.yaml */
export const LLM_INFERENCE_SERVICE = `
  annotations{ * } baseRefs[]{ name } kvCacheOffloading{ cpu:amount evictionPolicy:lru|arc secondary[]{ fileSystem{
  emptyDir{ size:amount } pvc{ ref{ name path } spec{ accessModes[] dataSource{ apiGroup kind name } dataSourceRef{
  apiGroup kind name namespace } resources{ limits{ *:amount } requests{ *:amount } } selector:LabelSelector
  storageClassName volumeAttributesClassName volumeMode volumeName } } } } } labels{ * } model{ confidential{
  enabled:bool resourceId } lora{ adapters:any maxAdapters:int maxCpuAdapters:int maxRank:int } name uri }
  parallelism{ data:int dataLocal:int dataRPCPort:int expert:bool pipeline:int tensor:int } prefill{ annotations{ *
  } kvCacheOffloading{ cpu:amount evictionPolicy:lru|arc secondary[]{ fileSystem{ emptyDir{ size:amount } pvc{ ref{
  name path } spec{ accessModes[] dataSource{ apiGroup kind name } dataSourceRef{ apiGroup kind name namespace }
  resources{ limits{ *:amount } requests{ *:amount } } selector:LabelSelector storageClassName
  volumeAttributesClassName volumeMode volumeName } } } } } labels{ * } parallelism{ data:int dataLocal:int
  dataRPCPort:int expert:bool pipeline:int tensor:int } replicas:int scaling{ maxReplicas:int minReplicas:int wva{
  hpa{ behavior{ scaleDown{ policies[]{ periodSeconds:int type value:int } selectPolicy
  stabilizationWindowSeconds:int tolerance:amount } scaleUp{ policies[]{ periodSeconds:int type value:int }
  selectPolicy stabilizationWindowSeconds:int tolerance:amount } } } keda{ advanced{ horizontalPodAutoscalerConfig{
  behavior{ scaleDown{ policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int
  tolerance:amount } scaleUp{ policies[]{ periodSeconds:int type value:int } selectPolicy
  stabilizationWindowSeconds:int tolerance:amount } } name } restoreToOriginalReplicaCount:bool scalingModifiers{
  activationTarget formula metricType:AverageValue|Value target } } cooldownPeriod:int fallback{
  behavior:static|currentReplicas|currentReplicasIfHigher|currentReplicasIfLower failureThreshold:int replicas:int }
  idleReplicaCount:int initialCooldownPeriod:int pollingInterval:int } variantCost } } template:PodSpec
  worker:PodSpec } replicas:int router{ gateway{ refs[]{ name namespace sectionName } } ingress{ refs[]{ name
  namespace } } route{ group http{ refs[]{ name } spec{ hostnames[] parentRefs[]{ group kind name namespace port:int
  sectionName } rules[]{ backendRefs[]{ filters[]{ cors{ allowCredentials:bool allowHeaders[]
  allowMethods[]:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|* allowOrigins[] exposeHeaders[] maxAge:int }
  extensionRef{ group kind name } externalAuth{ backendRef{ group kind name namespace port:int } forwardBody{
  maxSize:int } grpc{ allowedHeaders[] } http{ allowedHeaders[] allowedResponseHeaders[] path } protocol:HTTP|GRPC }
  requestHeaderModifier{ add[]{ name value } remove[] set[]{ name value } } requestMirror{ backendRef{ group kind
  name namespace port:int } fraction{ denominator:int numerator:int } percent:int } requestRedirect{ hostname path{
  replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } port:int scheme:http|https
  statusCode:301|302|303|307|308 } responseHeaderModifier{ add[]{ name value } remove[] set[]{ name value } }
  type:RequestHeaderModifier|ResponseHeaderModifier|RequestMirror|RequestRedirect|URLRewrite|ExtensionRef|CORS
  urlRewrite{ hostname path{ replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } } } group
  kind name namespace port:int weight:int } filters[]{ cors{ allowCredentials:bool allowHeaders[]
  allowMethods[]:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|* allowOrigins[] exposeHeaders[] maxAge:int }
  extensionRef{ group kind name } externalAuth{ backendRef{ group kind name namespace port:int } forwardBody{
  maxSize:int } grpc{ allowedHeaders[] } http{ allowedHeaders[] allowedResponseHeaders[] path } protocol:HTTP|GRPC }
  requestHeaderModifier{ add[]{ name value } remove[] set[]{ name value } } requestMirror{ backendRef{ group kind
  name namespace port:int } fraction{ denominator:int numerator:int } percent:int } requestRedirect{ hostname path{
  replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } port:int scheme:http|https
  statusCode:301|302|303|307|308 } responseHeaderModifier{ add[]{ name value } remove[] set[]{ name value } }
  type:RequestHeaderModifier|ResponseHeaderModifier|RequestMirror|RequestRedirect|URLRewrite|ExtensionRef|CORS
  urlRewrite{ hostname path{ replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } } }
  matches[]{ headers[]{ name type:Exact|RegularExpression value }
  method:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH path{ type:Exact|PathPrefix|RegularExpression value }
  queryParams[]{ name type:Exact|RegularExpression value } } name retry{ attempts:int backoff codes[]:int }
  sessionPersistence{ absoluteTimeout cookieConfig{ lifetimeType:Permanent|Session } idleTimeout sessionName
  type:Cookie|Header } timeouts{ backendRequest request } } useDefaultGateways:All|None } } weight:int } scheduler{
  annotations{ * } config{ inline:any ref{ key name optional:bool } } labels{ * } pool{ ref{ name } spec{
  appProtocol:http|kubernetes.io/h2c endpointPickerRef{ failureMode:FailOpen|FailClose group kind name port{
  number:int } } selector{ matchLabels{ * } } targetPorts[]{ number:int } } } replicas:int template:PodSpec } }
  scaling{ maxReplicas:int minReplicas:int wva{ hpa{ behavior{ scaleDown{ policies[]{ periodSeconds:int type
  value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } scaleUp{ policies[]{ periodSeconds:int
  type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } } } keda{ advanced{
  horizontalPodAutoscalerConfig{ behavior{ scaleDown{ policies[]{ periodSeconds:int type value:int } selectPolicy
  stabilizationWindowSeconds:int tolerance:amount } scaleUp{ policies[]{ periodSeconds:int type value:int }
  selectPolicy stabilizationWindowSeconds:int tolerance:amount } } name } restoreToOriginalReplicaCount:bool
  scalingModifiers{ activationTarget formula metricType:AverageValue|Value target } } cooldownPeriod:int fallback{
  behavior:static|currentReplicas|currentReplicasIfHigher|currentReplicasIfLower failureThreshold:int replicas:int }
  idleReplicaCount:int initialCooldownPeriod:int pollingInterval:int } variantCost } } storageInitializer{
  enabled:bool } template:PodSpec tracing{ exporter exporterEndpoint sampler samplerArg } worker:PodSpec
`;

/** the same at v1alpha1 */
export const LLM_INFERENCE_SERVICE_V1ALPHA1 = `
  annotations{ * } baseRefs[]{ name } labels{ * } model{ criticality:Critical|Standard|Sheddable lora{ adapters:any
  maxAdapters:int maxCpuAdapters:int maxRank:int } name uri } parallelism{ data:int dataLocal:int dataRPCPort:int
  expert:bool pipeline:int tensor:int } prefill{ annotations{ * } labels{ * } parallelism{ data:int dataLocal:int
  dataRPCPort:int expert:bool pipeline:int tensor:int } replicas:int scaling{ maxReplicas:int minReplicas:int wva{
  hpa{ behavior{ scaleDown{ policies[]{ periodSeconds:int type value:int } selectPolicy
  stabilizationWindowSeconds:int tolerance:amount } scaleUp{ policies[]{ periodSeconds:int type value:int }
  selectPolicy stabilizationWindowSeconds:int tolerance:amount } } } keda{ advanced{ horizontalPodAutoscalerConfig{
  behavior{ scaleDown{ policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int
  tolerance:amount } scaleUp{ policies[]{ periodSeconds:int type value:int } selectPolicy
  stabilizationWindowSeconds:int tolerance:amount } } name } restoreToOriginalReplicaCount:bool scalingModifiers{
  activationTarget formula metricType:AverageValue|Value target } } cooldownPeriod:int fallback{
  behavior:static|currentReplicas|currentReplicasIfHigher|currentReplicasIfLower failureThreshold:int replicas:int }
  idleReplicaCount:int initialCooldownPeriod:int pollingInterval:int } variantCost } } template:PodSpec
  worker:PodSpec } replicas:int router{ gateway{ refs[]{ name namespace sectionName } } ingress{ refs[]{ name
  namespace } } route{ group http{ refs[]{ name } spec{ hostnames[] parentRefs[]{ group kind name namespace port:int
  sectionName } rules[]{ backendRefs[]{ filters[]{ cors{ allowCredentials:bool allowHeaders[]
  allowMethods[]:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|* allowOrigins[] exposeHeaders[] maxAge:int }
  extensionRef{ group kind name } externalAuth{ backendRef{ group kind name namespace port:int } forwardBody{
  maxSize:int } grpc{ allowedHeaders[] } http{ allowedHeaders[] allowedResponseHeaders[] path } protocol:HTTP|GRPC }
  requestHeaderModifier{ add[]{ name value } remove[] set[]{ name value } } requestMirror{ backendRef{ group kind
  name namespace port:int } fraction{ denominator:int numerator:int } percent:int } requestRedirect{ hostname path{
  replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } port:int scheme:http|https
  statusCode:301|302|303|307|308 } responseHeaderModifier{ add[]{ name value } remove[] set[]{ name value } }
  type:RequestHeaderModifier|ResponseHeaderModifier|RequestMirror|RequestRedirect|URLRewrite|ExtensionRef|CORS
  urlRewrite{ hostname path{ replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } } } group
  kind name namespace port:int weight:int } filters[]{ cors{ allowCredentials:bool allowHeaders[]
  allowMethods[]:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|* allowOrigins[] exposeHeaders[] maxAge:int }
  extensionRef{ group kind name } externalAuth{ backendRef{ group kind name namespace port:int } forwardBody{
  maxSize:int } grpc{ allowedHeaders[] } http{ allowedHeaders[] allowedResponseHeaders[] path } protocol:HTTP|GRPC }
  requestHeaderModifier{ add[]{ name value } remove[] set[]{ name value } } requestMirror{ backendRef{ group kind
  name namespace port:int } fraction{ denominator:int numerator:int } percent:int } requestRedirect{ hostname path{
  replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } port:int scheme:http|https
  statusCode:301|302|303|307|308 } responseHeaderModifier{ add[]{ name value } remove[] set[]{ name value } }
  type:RequestHeaderModifier|ResponseHeaderModifier|RequestMirror|RequestRedirect|URLRewrite|ExtensionRef|CORS
  urlRewrite{ hostname path{ replaceFullPath replacePrefixMatch type:ReplaceFullPath|ReplacePrefixMatch } } }
  matches[]{ headers[]{ name type:Exact|RegularExpression value }
  method:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH path{ type:Exact|PathPrefix|RegularExpression value }
  queryParams[]{ name type:Exact|RegularExpression value } } name retry{ attempts:int backoff codes[]:int }
  sessionPersistence{ absoluteTimeout cookieConfig{ lifetimeType:Permanent|Session } idleTimeout sessionName
  type:Cookie|Header } timeouts{ backendRequest request } } useDefaultGateways:All|None } } weight:int } scheduler{
  annotations{ * } config{ inline:any ref{ key name optional:bool } } labels{ * } pool{ ref{ name } spec{
  extensionRef{ failureMode:FailOpen|FailClose group kind name portNumber:int } selector{ * } targetPortNumber:int }
  } replicas:int template:PodSpec } } scaling{ maxReplicas:int minReplicas:int wva{ hpa{ behavior{ scaleDown{
  policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount }
  scaleUp{ policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int
  tolerance:amount } } } keda{ advanced{ horizontalPodAutoscalerConfig{ behavior{ scaleDown{ policies[]{
  periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } scaleUp{
  policies[]{ periodSeconds:int type value:int } selectPolicy stabilizationWindowSeconds:int tolerance:amount } }
  name } restoreToOriginalReplicaCount:bool scalingModifiers{ activationTarget formula metricType:AverageValue|Value
  target } } cooldownPeriod:int fallback{
  behavior:static|currentReplicas|currentReplicasIfHigher|currentReplicasIfLower failureThreshold:int replicas:int }
  idleReplicaCount:int initialCooldownPeriod:int pollingInterval:int } variantCost } } storageInitializer{
  enabled:bool } template:PodSpec tracing{ exporter exporterEndpoint sampler samplerArg } worker:PodSpec
`;
