/** spec of kagent.dev/v1alpha2 Agent: kagent-dev/kagent v0.10.0-rc3, go/api/config/crd/bases/kagent.dev_agents.yaml */
export const AGENT = `
  allowedNamespaces{ from:All|Same|Selector selector:LabelSelector } byo{ deployment{ affinity:Affinity annotations{
  * } args[] cmd deploymentAnnotations{ * } env[]:EnvVar envFrom[]:EnvFrom extraContainers[]:Container image
  imagePullPolicy imagePullSecrets[]{ name } labels{ * } nodeSelector{ * } podSecurityContext:PodSecurityContext
  replicas:int resources:Resources securityContext:SecurityContext serviceAccountConfig{ annotations{ * } labels{ *
  } } serviceAccountName tolerations[]:Toleration volumeMounts[]:VolumeMount volumes[]:Volume workingDir } }
  declarative{ a2aConfig{ skills[]{ description examples[] id inputModes[] name outputModes[] tags[] } } context{
  compaction{ compactionInterval:int eventRetentionSize:int overlapSize:int summarizer{ modelConfig promptTemplate }
  tokenThreshold:int } } deployment{ affinity:Affinity annotations{ * } deploymentAnnotations{ * } env[]:EnvVar
  envFrom[]:EnvFrom extraContainers[]:Container imagePullPolicy imagePullSecrets[]{ name } imageRegistry labels{ * }
  nodeSelector{ * } podSecurityContext:PodSecurityContext replicas:int resources:Resources
  securityContext:SecurityContext serviceAccountConfig{ annotations{ * } labels{ * } } serviceAccountName
  tolerations[]:Toleration volumeMounts[]:VolumeMount volumes[]:Volume } executeCodeBlocks:bool memory{ modelConfig
  ttlDays:int } modelConfig promptTemplate{ dataSources[]{ alias apiGroup kind name } } runtime:python|go
  shareTools:bool stream:bool systemMessage systemMessageFrom{ key name type:ConfigMap|Secret } tools[]{ agent{
  apiGroup kind name namespace } headersFrom[]:EnvVar isolateSessions:bool mcpServer{ allowedHeaders[] apiGroup kind
  name namespace requireApproval[] toolNames[] } type:McpServer|Agent } } description documentationUrl iconUrl
  provider{ organization url } sandbox{ network{ allowedDomains[] } } skills{ gitAuthSecretRef{ name } gitRefs[]{
  name path ref url } imagePullSecrets[]{ name } initContainer{ env[]:EnvVar resources:Resources }
  insecureSkipVerify:bool refs[] s3Refs[]{ name region uri } } type:Declarative|BYO version
`;

/** the same at v1alpha1 */
export const AGENT_V1ALPHA1 = `
  a2aConfig{ skills[]{ description examples[] id inputModes[] name outputModes[] tags[] } } deployment{ annotations{
  * } env[]:EnvVar imagePullSecrets[]{ name } labels{ * } replicas:int volumes[]:Volume } description memory[]
  modelConfig stream:bool systemMessage tools[]{ agent{ ref } mcpServer{ toolNames[] toolServer }
  type:McpServer|Agent }
`;

/** spec of kagent.dev/v1alpha3 SandboxAgent: kagent-dev/kagent at 5229184e, go/api/config/crd/bases/kagent.dev_sandboxagents.yaml */
export const SANDBOX_AGENT = `
  allowedNamespaces{ from:All|Same|Selector selector:LabelSelector } byo{ args[] cmd env[]:EnvVar image }
  declarative{ a2aConfig{ skills[]{ description examples[] id inputModes[] name outputModes[] tags[] } } context{
  compaction{ compactionInterval:int eventRetentionSize:int overlapSize:int summarizer{ modelConfig promptTemplate }
  tokenThreshold:int } } env[]:EnvVar imageRegistry memory{ modelConfig ttlDays:int } modelConfig promptTemplate{
  dataSources[]{ alias apiGroup kind name } } shareTools:bool stream:bool systemMessage systemMessageFrom{ key name
  type:ConfigMap|Secret } tools[]{ agent{ apiGroup kind name namespace } headersFrom[]:EnvVar isolateSessions:bool
  mcpServer{ allowedHeaders[] apiGroup kind name namespace requireApproval[] toolNames[] } type:McpServer|Agent } }
  description documentationUrl iconUrl provider{ organization url } sandbox{ network{ allowedDomains[] } } skills{
  gitAuthSecretRef{ name } gitRefs[]{ name path ref url } imagePullSecrets[]{ name } insecureSkipVerify:bool refs[]
  s3Refs[]{ name region uri } } substrate{ snapshotsConfig{ location } workerPoolRef{ apiGroup kind name } }
  type:Declarative|BYO version
`;

/** the same at v1alpha2 */
export const SANDBOX_AGENT_V1ALPHA2 = `
  allowedNamespaces{ from:All|Same|Selector selector:LabelSelector } byo{ deployment{ affinity:Affinity annotations{
  * } args[] cmd deploymentAnnotations{ * } env[]:EnvVar envFrom[]:EnvFrom extraContainers[]:Container image
  imagePullPolicy imagePullSecrets[]{ name } labels{ * } nodeSelector{ * } podSecurityContext:PodSecurityContext
  replicas:int resources:Resources securityContext:SecurityContext serviceAccountConfig{ annotations{ * } labels{ *
  } } serviceAccountName tolerations[]:Toleration topologySpreadConstraints[]{ labelSelector:LabelSelector
  matchLabelKeys[] maxSkew:int minDomains:int nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable }
  volumeMounts[]:VolumeMount volumes[]:Volume workingDir } } declarative{ a2aConfig{ skills[]{ description
  examples[] id inputModes[] name outputModes[] tags[] } } context{ compaction{ compactionInterval:int
  eventRetentionSize:int overlapSize:int summarizer{ modelConfig promptTemplate } tokenThreshold:int } } deployment{
  affinity:Affinity annotations{ * } deploymentAnnotations{ * } env[]:EnvVar envFrom[]:EnvFrom
  extraContainers[]:Container imagePullPolicy imagePullSecrets[]{ name } imageRegistry labels{ * } nodeSelector{ * }
  podSecurityContext:PodSecurityContext replicas:int resources:Resources securityContext:SecurityContext
  serviceAccountConfig{ annotations{ * } labels{ * } } serviceAccountName tolerations[]:Toleration
  topologySpreadConstraints[]{ labelSelector:LabelSelector matchLabelKeys[] maxSkew:int minDomains:int
  nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable } volumeMounts[]:VolumeMount volumes[]:Volume }
  memory{ modelConfig ttlDays:int } modelConfig promptTemplate{ dataSources[]{ alias apiGroup kind name } }
  runtime:python|go shareTools:bool stream:bool systemMessage systemMessageFrom{ key name type:ConfigMap|Secret }
  tools[]{ agent{ apiGroup kind name namespace } headersFrom[]:EnvVar isolateSessions:bool mcpServer{
  allowedHeaders[] apiGroup kind name namespace requireApproval[] toolNames[] } type:McpServer|Agent } } description
  documentationUrl iconUrl provider{ organization url } sandbox{ network{ allowedDomains[] } } skills{
  gitAuthSecretRef{ name } gitRefs[]{ name path ref url } imagePullSecrets[]{ name } initContainer{ env[]:EnvVar
  resources:Resources } insecureSkipVerify:bool refs[] s3Refs[]{ name region uri } } substrate{ snapshotsConfig{
  location } workerPoolRef{ apiGroup kind name } } type:Declarative|BYO version
`;
