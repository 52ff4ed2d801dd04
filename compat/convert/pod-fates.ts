import type { Json } from '../../constructs/schema/json.ts';
import { below, idle, same, taken, reported } from './fates.ts';
import type { Fate, Fates } from './fates.ts';

/** The fields of a pod that every kind of ours has under the same name. */
export const OWN_FIELDS = [
  'nodeSelector',
  'tolerations',
  'imagePullSecrets',
  'priorityClassName',
  'runtimeClassName',
] as const;

/** The fields of a pod that podTemplate has, containers aside. */
export const TEMPLATE_FIELDS = [
  'affinity',
  'topologySpreadConstraints',
  'volumes',
  'hostAliases',
  'dnsPolicy',
  'dnsConfig',
  'schedulerName',
] as const;

/** The fields of a container that the container of ours in podTemplate has. */
export const CONTAINER_FIELDS = ['volumeMounts', 'envFrom', 'workingDir', 'imagePullPolicy'] as const;

const ACCOUNT = reported(
  'a ServiceAccount of its own is made; give it what it needs by serviceAccount.annotations, and rights by a RoleBinding',
);
const LOCKED = reported(
  'security says how pods are locked in and as whom they run: restricted as user 1000 or security.runAsUser, baseline as the image says',
  [{}],
);
const HOST = reported("pods never share the node's namespaces: the restricted and baseline standards forbid it", [
  false,
]);
const PROBE = reported('probes follow from the engine or the kind; podTemplate.spec.containers takes others');
const CLAIMS = reported(
  'devices by DRA are not known here, and resources.gpu does not count them: give gpu and gpuResource of a device plugin',
);
const DEFAULT_VERSION: Fate = reported('fields of another version are not known', ['v1']);
const TERMINAL = reported('pods have no terminal', [false]);

/** What variables may hold beside what our schemas know, wherever they are. */
export const ENV_FATES: Fates = {
  'valueFrom.fieldRef.apiVersion': DEFAULT_VERSION,
  'valueFrom.resourceFieldRef': reported('write the number as the value: what a pod gets stands in resources'),
  'valueFrom.fileKeyRef': reported('write the file in the program, or take the key of a Secret or ConfigMap'),
};

/** What is told of a volume. */
const VOLUME_FATES: Fates = {
  'downwardAPI.items.fieldRef.apiVersion': DEFAULT_VERSION,
  'projected.sources.downwardAPI.items.fieldRef.apiVersion': DEFAULT_VERSION,
  ...Object.fromEntries(
    [
      ['hostPath', 'the folders of a node are not mounted: use a claim'],
      ['nfs', 'make a PersistentVolume of it, and name its claim'],
      ['csi', 'make a PersistentVolume of it, and name its claim'],
      ['ephemeral', 'make a claim, and name it by persistentVolumeClaim; or take an emptyDir'],
      ['image', 'name the image by model.uri as oci://, or put it into an own image'],
    ].map(([name, why]) => [name!, reported(why!)]),
  ),
};

/** What is told of a container, whichever it is. */
const CONTAINER_REPORTED: Fates = {
  lifecycle: reported('hooks follow from the drain of the kind'),
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  startupProbe: PROBE,
  ports: reported('the ports follow from the kind', [[]]),
  securityContext: LOCKED,
  'resources.claims': CLAIMS,
  resizePolicy: reported('a change of resources starts new pods'),
  restartPolicy: reported('a container that ends is started again by the rules of the kind'),
  restartPolicyRules: reported('a container that ends is started again by the rules of the kind'),
  stdin: TERMINAL,
  stdinOnce: TERMINAL,
  tty: TERMINAL,
  terminationMessagePath: reported('last words are read from /dev/termination-log', ['/dev/termination-log']),
  terminationMessagePolicy: reported('last words are read from the log where nothing else is left', [
    'File',
    'FallbackToLogsOnError',
  ]),
  volumeDevices: reported('volumes are mounted as folders: a raw device can not be given'),
};

const PARTS = 'spec.podTemplate.spec.containers.resources';

/** Where the fields of the container that does the work go. */
export interface MainContainer {
  /** Its name in podTemplate. */
  readonly name: string;
  /** Where its image, command, args and variables go. */
  readonly to: Readonly<Record<'image' | 'command' | 'args' | 'env', Fate>>;
}

/** What happens to the fields of the container that does the work. */
export const containerFates = ({ to }: MainContainer): Fates => ({
  name: idle('the container has the name of its kind here'),
  ...to,
  ...below('env', ENV_FATES),
  ...same(CONTAINER_FIELDS, (name) => `spec.podTemplate.spec.containers.${name}`),
  'resources.limits': taken(`${PARTS}.limits`),
  'resources.limits.memory': taken('spec.resources.memory'),
  'resources.requests': taken(`${PARTS}.requests`),
  'resources.requests.cpu': taken('spec.resources.cpu'),
  'volumeMounts.mountPropagation': reported('mounts of a container are its own', ['None']),
  'volumeMounts.recursiveReadOnly': reported('readOnly is what a mount has', ['Disabled']),
  'volumeMounts.subPathExpr': reported('subPath takes no variables: write the folder'),
  ...CONTAINER_REPORTED,
});

/** What is so in a pod that says it. */
const reportedUnless = (why: string, ...unless: readonly Json[]): Fate => reported(why, unless);

/** What happens to the fields of a pod. */
export const podFates = (main: MainContainer): Fates => ({
  ...same(OWN_FIELDS, (name) => `spec.${name}`),
  ...same(TEMPLATE_FIELDS, (name) => `spec.podTemplate.spec.${name}`),
  ...below('volumes', VOLUME_FATES),
  ...below('containers', containerFates(main)),
  initContainers: taken('spec.podTemplate.spec.initContainers'),
  ...below('initContainers', CONTAINER_REPORTED),
  ...below('initContainers.env', ENV_FATES),
  ...same(
    ['ports', 'restartPolicy', 'livenessProbe', 'readinessProbe', 'startupProbe'].map(
      (name) => `initContainers.${name}`,
    ),
    (name) => `spec.podTemplate.spec.${name}`,
  ),
  ephemeralContainers: reported('are put into a running pod by kubectl debug, and into no template'),
  serviceAccountName: ACCOUNT,
  serviceAccount: ACCOUNT,
  automountServiceAccountToken: reportedUnless('pods get no token of the API server', false),
  securityContext: LOCKED,
  hostIPC: HOST,
  hostNetwork: HOST,
  hostPID: HOST,
  hostUsers: reported('the node decides on user namespaces', [true]),
  hostname: reported('pods have the names that the kind gives them'),
  hostnameOverride: reported('pods have the names that the kind gives them'),
  subdomain: reported('pods have the names that the kind gives them'),
  setHostnameAsFQDN: reportedUnless('pods have the names that the kind gives them', false),
  nodeName: reported('the scheduler chooses the node: select it by nodeSelector kubernetes.io/hostname'),
  activeDeadlineSeconds: reported('pods of this kind have no end of their own'),
  restartPolicy: reportedUnless('pods are started again by the rules of the kind', 'Always'),
  terminationGracePeriodSeconds: taken('spec.podTemplate.spec.terminationGracePeriodSeconds'),
  enableServiceLinks: reportedUnless('pods get no variables of Services: name a Service by its DNS name', false),
  shareProcessNamespace: reportedUnless('containers of a pod do not see each other’s processes', false),
  resourceClaims: CLAIMS,
  resources: reported('resources are those of the container', undefined),
  overhead: reported('is written by Kubernetes from runtimeClassName'),
  os: reported('pods run on Linux', [{ name: 'linux' }]),
  'os.name': reportedUnless('pods run on Linux', 'linux'),
  preemptionPolicy: reported('follows from priorityClassName', ['PreemptLowerPriority']),
  priority: reported('follows from priorityClassName'),
  readinessGates: reported('a pod is ready as its containers are'),
  schedulingGates: reported('queue names a LocalQueue of Kueue, which holds pods back'),
  workloadRef: reported('gang.scheduler starts all pods together or none'),
  schedulingGroup: reported('gang.scheduler starts all pods together or none'),
});

const BESIDE = 'spec.podTemplate.spec.containers';

/** What happens to a container beside the one that does the work: podTemplate has it, with its probes and ports. */
export const besideFates: Fates = {
  ...containerFates({
    name: 'beside',
    to: {
      image: taken(`${BESIDE}.image`),
      command: taken(`${BESIDE}.command`),
      args: taken(`${BESIDE}.args`),
      env: taken(`${BESIDE}.env`),
    },
  }),
  ...same(['name', 'ports', 'livenessProbe', 'readinessProbe', 'startupProbe'], (name) => `${BESIDE}.${name}`),
  'resources.limits': taken(`${PARTS}.limits`),
  'resources.limits.memory': taken(`${PARTS}.limits`),
  'resources.requests': taken(`${PARTS}.requests`),
  'resources.requests.cpu': taken(`${PARTS}.requests`),
};
