/**
 * The fields of pods, as the definitions of the sources that are converted have them: those of Kubernetes 1.31 to 1.34,
 * together. A field without a type is a text.
 */
export const KUBERNETES = `
  LabelSelector { matchExpressions[]{ key operator values[] } matchLabels{ * } }
  NodeTerm { matchExpressions[]{ key operator values[] } matchFields[]{ key operator values[] } }
  PodTerm { labelSelector:LabelSelector matchLabelKeys[] mismatchLabelKeys[] namespaceSelector:LabelSelector
  namespaces[] topologyKey }
  Affinity { nodeAffinity{ preferredDuringSchedulingIgnoredDuringExecution[]{ preference:NodeTerm weight:int }
  requiredDuringSchedulingIgnoredDuringExecution{ nodeSelectorTerms[]:NodeTerm } } podAffinity{
  preferredDuringSchedulingIgnoredDuringExecution[]{ podAffinityTerm:PodTerm weight:int }
  requiredDuringSchedulingIgnoredDuringExecution[]:PodTerm } podAntiAffinity{
  preferredDuringSchedulingIgnoredDuringExecution[]{ podAffinityTerm:PodTerm weight:int }
  requiredDuringSchedulingIgnoredDuringExecution[]:PodTerm } }
  Toleration { effect key operator tolerationSeconds:int value }
  EnvVar { name value valueFrom{ configMapKeyRef{ key name optional:bool } fieldRef{ apiVersion fieldPath }
  resourceFieldRef{ containerName divisor:amount resource } secretKeyRef{ key name optional:bool } fileKeyRef{ key
  optional:bool path volumeName } } }
  EnvFrom { configMapRef{ name optional:bool } prefix secretRef{ name optional:bool } }
  Handler { exec{ command[] } httpGet{ host httpHeaders[]{ name value } path port:amount scheme } sleep{ seconds:int
  } tcpSocket{ host port:amount } }
  Probe { exec{ command[] } failureThreshold:int grpc{ port:int service } httpGet{ host httpHeaders[]{ name value }
  path port:amount scheme } initialDelaySeconds:int periodSeconds:int successThreshold:int tcpSocket{ host
  port:amount } terminationGracePeriodSeconds:int timeoutSeconds:int }
  Resources { claims[]{ name request } limits{ *:amount } requests{ *:amount } }
  SecurityContext { allowPrivilegeEscalation:bool appArmorProfile{ localhostProfile type } capabilities{ add[]
  drop[] } privileged:bool procMount readOnlyRootFilesystem:bool runAsGroup:int runAsNonRoot:bool runAsUser:int
  seLinuxOptions{ level role type user } seccompProfile{ localhostProfile type } windowsOptions{ gmsaCredentialSpec
  gmsaCredentialSpecName hostProcess:bool runAsUserName } }
  PodSecurityContext { appArmorProfile{ localhostProfile type } fsGroup:int fsGroupChangePolicy runAsGroup:int
  runAsNonRoot:bool runAsUser:int seLinuxOptions{ level role type user } seccompProfile{ localhostProfile type }
  supplementalGroups[]:int supplementalGroupsPolicy sysctls[]{ name value } windowsOptions{ gmsaCredentialSpec
  gmsaCredentialSpecName hostProcess:bool runAsUserName } seLinuxChangePolicy }
  VolumeMount { mountPath mountPropagation name readOnly:bool recursiveReadOnly subPath subPathExpr }
  Volume { awsElasticBlockStore{ fsType partition:int readOnly:bool volumeID } azureDisk{ cachingMode diskName
  diskURI fsType kind readOnly:bool } azureFile{ readOnly:bool secretName shareName } cephfs{ monitors[] path
  readOnly:bool secretFile secretRef{ name } user } cinder{ fsType readOnly:bool secretRef{ name } volumeID }
  configMap{ defaultMode:int items[]{ key mode:int path } name optional:bool } csi{ driver fsType
  nodePublishSecretRef{ name } readOnly:bool volumeAttributes{ * } } downwardAPI{ defaultMode:int items[]{ fieldRef{
  apiVersion fieldPath } mode:int path resourceFieldRef{ containerName divisor:amount resource } } } emptyDir{
  medium sizeLimit:amount } ephemeral{ volumeClaimTemplate{ metadata{ annotations{ * } finalizers[] labels{ * } name
  namespace } spec{ accessModes[] dataSource{ apiGroup kind name } dataSourceRef{ apiGroup kind name namespace }
  resources{ limits{ *:amount } requests{ *:amount } } selector:LabelSelector storageClassName
  volumeAttributesClassName volumeMode volumeName } } } fc{ fsType lun:int readOnly:bool targetWWNs[] wwids[] }
  flexVolume{ driver fsType options{ * } readOnly:bool secretRef{ name } } flocker{ datasetName datasetUUID }
  gcePersistentDisk{ fsType partition:int pdName readOnly:bool } gitRepo{ directory repository revision } glusterfs{
  endpoints path readOnly:bool } hostPath{ path type } image{ pullPolicy reference } iscsi{ chapAuthDiscovery:bool
  chapAuthSession:bool fsType initiatorName iqn iscsiInterface lun:int portals[] readOnly:bool secretRef{ name }
  targetPortal } name nfs{ path readOnly:bool server } persistentVolumeClaim{ claimName readOnly:bool }
  photonPersistentDisk{ fsType pdID } portworxVolume{ fsType readOnly:bool volumeID } projected{ defaultMode:int
  sources[]{ clusterTrustBundle{ labelSelector:LabelSelector name optional:bool path signerName } configMap{
  items[]{ key mode:int path } name optional:bool } downwardAPI{ items[]{ fieldRef{ apiVersion fieldPath } mode:int
  path resourceFieldRef{ containerName divisor:amount resource } } } secret{ items[]{ key mode:int path } name
  optional:bool } serviceAccountToken{ audience expirationSeconds:int path } podCertificate{ certificateChainPath
  credentialBundlePath keyPath keyType maxExpirationSeconds:int signerName } } } quobyte{ group readOnly:bool
  registry tenant user volume } rbd{ fsType image keyring monitors[] pool readOnly:bool secretRef{ name } user }
  scaleIO{ fsType gateway protectionDomain readOnly:bool secretRef{ name } sslEnabled:bool storageMode storagePool
  system volumeName } secret{ defaultMode:int items[]{ key mode:int path } optional:bool secretName } storageos{
  fsType readOnly:bool secretRef{ name } volumeName volumeNamespace } vsphereVolume{ fsType storagePolicyID
  storagePolicyName volumePath } }
  Container { args[] command[] env[]:EnvVar envFrom[]:EnvFrom image imagePullPolicy lifecycle{ postStart:Handler
  preStop:Handler stopSignal } livenessProbe:Probe name ports[]{ containerPort:int hostIP hostPort:int name protocol
  } readinessProbe:Probe resizePolicy[]{ resourceName restartPolicy } resources:Resources restartPolicy
  securityContext:SecurityContext startupProbe:Probe stdin:bool stdinOnce:bool terminationMessagePath
  terminationMessagePolicy tty:bool volumeDevices[]{ devicePath name } volumeMounts[]:VolumeMount workingDir
  restartPolicyRules[]{ action exitCodes{ operator values[]:int } } }
  PodSpec { activeDeadlineSeconds:int affinity:Affinity automountServiceAccountToken:bool containers[]:Container
  dnsConfig{ nameservers[] options[]{ name value } searches[] } dnsPolicy enableServiceLinks:bool
  ephemeralContainers[]{ ...Container targetContainerName } hostAliases[]{ hostnames[] ip } hostIPC:bool
  hostNetwork:bool hostPID:bool hostUsers:bool hostname imagePullSecrets[]{ name } initContainers[]:Container
  nodeName nodeSelector{ * } os{ name } overhead{ *:amount } preemptionPolicy priority:int priorityClassName
  readinessGates[]{ conditionType } resourceClaims[]{ name resourceClaimName resourceClaimTemplateName }
  restartPolicy runtimeClassName schedulerName schedulingGates[]{ name } securityContext:PodSecurityContext
  serviceAccount serviceAccountName setHostnameAsFQDN:bool shareProcessNamespace:bool subdomain
  terminationGracePeriodSeconds:int tolerations[]:Toleration topologySpreadConstraints[]{
  labelSelector:LabelSelector matchLabelKeys[] maxSkew:int minDomains:int nodeAffinityPolicy nodeTaintsPolicy
  topologyKey whenUnsatisfiable } volumes[]:Volume hostnameOverride resources:Resources }
`;
