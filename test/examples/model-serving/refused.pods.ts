import { minimal, mounted, type RefusedExample } from './example.ts';
import { refusedAnnotations } from './refused.annotations.ts';
import { refusedEgress } from './refused.egress.ts';

const podSpec = (spec: object) => ({ ...minimal, podTemplate: { spec } });

/** Containers that take so many values from Secrets, a list of 64 each and the rest as sources of more. */
const takingValues = (count: number) => ({
  containers: Array.from({ length: Math.floor(count / 64) }, (_, index) => ({
    name: `c${index}`,
    image: 'a:1',
    env: Array.from({ length: 64 }, (__, key) => ({
      name: `V${key}`,
      valueFrom: { secretKeyRef: { name: `s${index}-${key}`, key: 'k' } },
    })),
  })),
  initContainers: [
    {
      name: 'more',
      image: 'a:1',
      env: [
        { name: 'PLAIN', value: 'a' },
        { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      ],
      envFrom: Array.from({ length: count % 64 }, (_, index) => ({ configMapRef: { name: `m${index}` } })),
    },
  ],
});

/** As many values from elsewhere as a podTemplate may have. */
export const mostValues = podSpec(takingValues(128));

/** Names, addresses and variables that must be refused. */
const refusedNames: readonly RefusedExample[] = [
  {
    title: 'a name of 45 characters',
    name: 'a'.repeat(45),
    spec: minimal,
    problems: [['metadata.name', 'must have at most 44 characters']],
  },
  {
    title: 'a name that no Service could have',
    name: '3-llama.chat',
    spec: minimal,
    problems: [['metadata.name', 'beginning with a letter']],
  },
  {
    title: 'itself as successor',
    spec: { ...minimal, successor: 'llama' },
    problems: [['spec.successor', 'must be another ModelServing']],
  },
  {
    title: 'names that Kubernetes would refuse later',
    spec: {
      ...minimal,
      storage: { size: '1Gi', storageClassName: 'Fast' },
      nodeSelector: { 'a b': 'ok', ok: 'c d' },
      expose: { ingress: { host: 'https://example.com' } },
    },
    problems: [
      ['spec.storage.storageClassName', 'must be the name of a Kubernetes object'],
      ['spec.nodeSelector', 'each key must be the name of a label'],
      ['spec.nodeSelector', 'each value must be that of a label'],
      ['spec.expose.ingress.host', 'must be a host name'],
    ],
  },
  {
    title: 'a label that cdk8s can not print',
    spec: { ...minimal, nodeSelector: { constructor: 'a' } },
    problems: [['spec.nodeSelector', 'must have no key "constructor"']],
  },
  {
    title: 'more values from Secrets and ConfigMaps than the operator looks up for one resource',
    spec: podSpec(takingValues(129)),
    problems: [['spec.podTemplate.spec', 'must take at most 128 values from Secrets and ConfigMaps']],
  },
  {
    title: 'two ways in',
    spec: { ...minimal, expose: { ingress: { host: 'a.example' }, gateway: { name: 'a', hostname: 'a.example' } } },
    problems: [['spec.expose', 'exactly one of ingress and gateway']],
  },
  {
    title: 'variables of ours, and ill-formed ones',
    spec: {
      ...minimal,
      env: [
        { name: 'HOME', value: '/' },
        { name: 'TRUNNION_X' },
        { name: '1A' },
        { name: 'B', value: '', valueFrom: {} },
      ],
    },
    problems: [
      ['spec.env[0].name', 'is set by Trunnion'],
      ['spec.env[1].name', 'is set by Trunnion'],
      ['spec.env[2].name', 'not beginning with a digit'],
      ['spec.env[3]', 'value and valueFrom exclude each other'],
      ['spec.env[3].valueFrom', 'exactly one of'],
    ],
  },
  {
    title: 'tolerations that Kubernetes would refuse later',
    spec: { ...minimal, tolerations: [{}, { key: 'a', operator: 'Exists', value: 'b' }] },
    problems: [
      ['spec.tolerations[0]', 'must have the operator Exists'],
      ['spec.tolerations[1].value', 'must be left out where the operator is Exists'],
    ],
  },
  ...['10.0.0.0', '10.0.0.0/33', '10.0.0.256/8', '010.0.0.0/8', '::1::/64', 'example.com/8'].map(
    (cidr): RefusedExample => ({
      title: `the range ${cidr}`,
      spec: { ...minimal, egress: [{ cidr }] },
      problems: [['spec.egress[0].cidr', 'must be a range of IP addresses']],
    }),
  ),
];

/** What a pod template must not say. */
const refusedPodTemplates: readonly RefusedExample[] = [
  ...['hostNetwork', 'hostPID', 'serviceAccountName', 'securityContext', 'shareProcessNamespace', 'nodeName'].map(
    (field): RefusedExample => ({
      title: `podTemplate.spec.${field}`,
      spec: podSpec({ [field]: true }),
      problems: [[`spec.podTemplate.spec.${field}`, `unknown field "spec.podTemplate.spec.${field}"`]],
    }),
  ),
  {
    title: 'a folder of the node',
    spec: podSpec({ volumes: [{ name: 'root', hostPath: { path: '/' } }] }),
    problems: [
      ['spec.podTemplate.spec.volumes[0].hostPath', 'unknown field'],
      ['spec.podTemplate.spec.volumes[0]', 'exactly one of configMap'],
    ],
  },
  {
    title: 'a token of the ServiceAccount',
    spec: podSpec({ volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'a' } }] } }] }),
    problems: [['spec.podTemplate.spec.volumes[0].projected.sources[0].serviceAccountToken', 'unknown field']],
  },
  {
    title: 'a privileged container',
    spec: podSpec({ containers: [{ name: 'server', securityContext: { privileged: true } }] }),
    problems: [['spec.podTemplate.spec.containers[0].securityContext', 'unknown field']],
  },
  {
    title: 'a port of the node',
    spec: podSpec({ containers: [{ name: 'server', ports: [{ containerPort: 80, hostPort: 80 }] }] }),
    problems: [['spec.podTemplate.spec.containers[0].ports[0].hostPort', 'unknown field']],
  },
  {
    title: 'a new container without an image',
    spec: podSpec({ containers: [{ name: 'proxy' }], initContainers: [{ name: 'setup' }] }),
    problems: [
      ['spec.podTemplate.spec.containers', 'each must have an image, but for server'],
      ['spec.podTemplate.spec.initContainers', 'each must have an image, but for fetch where weights are fetched'],
    ],
  },
  {
    title: 'times of a probe, and a path, for which the API server would write others',
    spec: podSpec({
      containers: [
        {
          name: 'server',
          livenessProbe: {
            httpGet: { path: '', port: 'http' },
            initialDelaySeconds: 0,
            periodSeconds: 0,
            timeoutSeconds: 0,
          },
        },
      ],
    }),
    problems: [
      ['spec.podTemplate.spec.containers[0].livenessProbe.httpGet.path', 'should be at least 1 chars long'],
      ['spec.podTemplate.spec.containers[0].livenessProbe.periodSeconds', 'should be greater than or equal to 1'],
      ['spec.podTemplate.spec.containers[0].livenessProbe.timeoutSeconds', 'should be greater than or equal to 1'],
    ],
  },
  {
    title: 'a container to wait or to fetch without an image, where the workload has none',
    spec: podSpec({ initContainers: [{ name: 'wait' }] }),
    problems: [['spec.podTemplate.spec.initContainers', 'wait on a volume of another accessMode']],
  },
  {
    title: 'changes of a container that fetches, where nothing is fetched',
    spec: { ...mounted, podTemplate: { spec: { initContainers: [{ name: 'fetch' }] } } },
    problems: [['spec.podTemplate.spec.initContainers', 'each must have an image']],
  },
  {
    title: 'an init container that is probed, and is no native sidecar',
    spec: podSpec({ initContainers: [{ name: 'setup', image: 'a:1', livenessProbe: { tcpSocket: { port: 80 } } }] }),
    problems: [['spec.podTemplate.spec.initContainers[0].livenessProbe', 'set restartPolicy to Always']],
  },
  {
    title: 'an init container that is never started again',
    spec: podSpec({ initContainers: [{ name: 'mesh', image: 'a:1', restartPolicy: 'Never' }] }),
    problems: [['spec.podTemplate.spec.initContainers[0].restartPolicy', 'Always']],
  },
  {
    title: 'a native sidecar instead of what fetches',
    spec: podSpec({ initContainers: [{ name: 'fetch', restartPolicy: 'Always' }] }),
    problems: [['spec.podTemplate.spec.initContainers', 'must not set restartPolicy of fetch, wait']],
  },
  {
    title: 'an init container with the name of the server',
    spec: podSpec({ initContainers: [{ name: 'server', image: 'a:1' }] }),
    problems: [['spec.podTemplate.spec.initContainers', 'must not have server']],
  },
  {
    title: 'a container with the name of what fetches',
    spec: podSpec({ containers: [{ name: 'fetch', image: 'a:1' }] }),
    problems: [['spec.podTemplate.spec.containers', 'must not have fetch, wait']],
  },
  {
    title: 'two containers of one name',
    spec: podSpec({ containers: [{ name: 'a', image: 'a:1' }], initContainers: [{ name: 'a', image: 'a:1' }] }),
    problems: [['spec.podTemplate.spec.initContainers', 'must not have the name of a container']],
  },
  {
    title: 'a volume of ours',
    spec: podSpec({ volumes: [{ name: 'weights', emptyDir: {} }] }),
    problems: [['spec.podTemplate.spec.volumes[0].name', "is a volume of Trunnion's own"]],
  },
  {
    title: 'labels and annotations of ours',
    spec: {
      ...minimal,
      podTemplate: {
        metadata: { labels: { 'app.kubernetes.io/name': 'a' }, annotations: { 'trunnion.dev/references': 'a' } },
      },
    },
    problems: [
      ['spec.podTemplate.metadata.labels', 'are set by Trunnion'],
      ['spec.podTemplate.metadata.annotations', 'are set by Trunnion'],
    ],
  },
  ...['container.apparmor.security.beta.kubernetes.io/server', 'seccomp.security.alpha.kubernetes.io/pod'].map(
    (annotation): RefusedExample => ({
      title: `the annotation ${annotation}`,
      spec: { ...minimal, podTemplate: { metadata: { annotations: { [annotation]: 'unconfined' } } } },
      problems: [['spec.podTemplate.metadata.annotations', 'AppArmor or seccomp profiles are refused']],
    }),
  ),
  ...['../etc', 'a/../../etc', '..', '/etc'].map((path): RefusedExample => ({
    title: `the path ${path} in a volume`,
    spec: podSpec({
      volumes: [{ name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path }] } }],
      containers: [{ name: 'server', volumeMounts: [{ name: 'settings', mountPath: '/a', subPath: path }] }],
    }),
    problems: [
      ['spec.podTemplate.spec.volumes[0].configMap.items[0].path', 'must be a relative path without ".."'],
      ['spec.podTemplate.spec.containers[0].volumeMounts[0].subPath', 'must be a relative path without ".."'],
    ],
  })),
  {
    title: 'pods of another namespace to keep away from',
    spec: podSpec({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: {}, namespaces: ['other'] },
          ],
        },
      },
    }),
    problems: [
      [
        'spec.podTemplate.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaces',
        'unknown field',
      ],
    ],
  },
  {
    title: 'a stop that is shorter than the drain',
    spec: podSpec({ terminationGracePeriodSeconds: 60 }),
    problems: [['spec.podTemplate.spec.terminationGracePeriodSeconds', 'must be at least drain.timeoutSeconds']],
  },
];

/** What is refused of names, annotations and pods. */
export const refusedPods: readonly RefusedExample[] = [
  ...refusedNames,
  ...refusedEgress,
  ...refusedAnnotations,
  ...refusedPodTemplates,
];
