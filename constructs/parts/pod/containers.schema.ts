import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import { env } from './env.schema.ts';
import { labelName, objectName, port, printableKeys } from '../objects/schema.ts';
import { quantity } from '../values/schema.ts';
import { volumeMounts } from './volumes.schema.ts';

const atomic = { 'x-kubernetes-list-type': 'atomic' };

/** The form of a reference of an image, to JavaScript and to CEL alike. */
export const IMAGE = /^[A-Za-z0-9][-A-Za-z0-9._:/]*(@sha256:[a-f0-9]{64})?$/;

/** An image reference. */
export const image = withRules(z.string().min(1).max(512), {
  rule: `self.matches('${IMAGE.source}')`,
  message: 'must be an image reference, for instance docker.io/library/nginx:1.29 or NAME@sha256:DIGEST',
});

/** Arguments of a container. */
export const args = z.array(z.string().max(4096).describe('One argument.')).max(128).meta(atomic);

/** A port by number or by name. */
const portOrName = z.union([port, z.string().min(1).max(15)]);

/** Where 0 stands for another number, the API server writes that one, and would be told 0 again forever. */
const seconds = (least: 0 | 1, description: string) => z.int().min(least).max(86_400).describe(description).optional();

const probe = withRules(
  z.strictObject({
    httpGet: z
      .strictObject({
        path: z.string().min(1).max(1024).describe('Path to ask for. Default: /.').optional(),
        port: portOrName.describe('Number or name of the port.'),
        scheme: z.enum(['HTTP', 'HTTPS']).describe('Default: HTTP.').optional(),
      })
      .describe('Asks over HTTP; 200 to 399 is healthy.')
      .optional(),
    tcpSocket: z
      .strictObject({ port: portOrName.describe('Number or name of the port.') })
      .describe('Connects over TCP.')
      .optional(),
    grpc: z
      .strictObject({
        port: port.describe('Number of the port.'),
        service: z.string().max(253).describe('Name to ask for. Default: the server as a whole.').optional(),
      })
      .describe("Asks over gRPC's health protocol.")
      .optional(),
    exec: z
      .strictObject({ command: args.min(1).describe('Command and arguments; exit code 0 is healthy.') })
      .describe('Runs a command in the container.')
      .optional(),
    initialDelaySeconds: seconds(0, 'Seconds before the first time.'),
    periodSeconds: seconds(1, 'Seconds between two times.'),
    timeoutSeconds: seconds(1, 'Seconds after which it counts as failed.'),
    successThreshold: z.int().min(1).max(1000).describe('Successes in a row that it takes.').optional(),
    failureThreshold: z.int().min(1).max(100_000).describe('Failures in a row that it takes.').optional(),
  }),
  {
    rule: '[has(self.httpGet), has(self.tcpSocket), has(self.grpc), has(self.exec)].filter(x, x).size() <= 1',
    message: 'at most one of httpGet, tcpSocket, grpc and exec may be given',
  },
);

const amounts = withRules(
  z.record(z.string(), quantity.describe('The amount.')).meta({ maxProperties: 16 }),
  printableKeys,
);

const envFrom = z
  .array(
    withRules(
      z.strictObject({
        prefix: z.string().max(253).describe('Put before each name. Default: nothing.').optional(),
        configMapRef: z
          .strictObject({
            name: objectName.describe('Name of a ConfigMap of the same namespace.'),
            optional: z.boolean().describe('Whether the pod may start without it. Default: false.').optional(),
          })
          .describe('All keys of a ConfigMap.')
          .optional(),
        secretRef: z
          .strictObject({
            name: objectName.describe('Name of a Secret of the same namespace.'),
            optional: z.boolean().describe('Whether the pod may start without it. Default: false.').optional(),
          })
          .describe('All keys of a Secret.')
          .optional(),
      }),
      {
        rule: 'has(self.configMapRef) != has(self.secretRef)',
        message: 'exactly one of configMapRef and secretRef must be given',
      },
    ),
  )
  .max(16)
  .meta(atomic);

const probes = {
  startupProbe: probe.describe('Whether it has started.').optional(),
  readinessProbe: probe.describe('Whether it takes requests.').optional(),
  livenessProbe: probe.describe('Whether it must be started again.').optional(),
};

/**
 * No field has a default here, and so the list can't be one by keys: `kubectl apply` compares a list as a whole, and what
 * the API server added to it would look like a change at each apply.
 */
const ports = withRules(
  z
    .array(
      z.strictObject({
        name: z.string().min(1).max(15).describe('Name of the port.').optional(),
        containerPort: port.describe('Number of the port.'),
        protocol: z.enum(['TCP', 'UDP', 'SCTP']).describe('Default: TCP.').optional(),
      }),
    )
    .max(16)
    .meta(atomic),
  {
    rule: "self.all(p, self.exists_one(q, q.containerPort == p.containerPort && (has(q.protocol) ? q.protocol : 'TCP') == (has(p.protocol) ? p.protocol : 'TCP')))",
    message: 'must have each containerPort once for a protocol (TCP where none is given): leave the other out',
  },
);

/** What may be said of any container: no security context, and no port of the node. */
const common = z.strictObject({
  name: labelName.describe('Name of the container: one that the workload has, or one to add.'),
  image: image.describe('Its image; a container that is added needs one.').optional(),
  imagePullPolicy: z
    .enum(['Always', 'IfNotPresent', 'Never'])
    .describe('When to pull. Default: IfNotPresent, but Always for the tag latest.')
    .optional(),
  command: args.describe("Takes the place of the image's entry point.").optional(),
  args: args.describe('Arguments of the command.').optional(),
  workingDir: z.string().max(512).describe("Where the command is run. Default: the image's.").optional(),
  env: env.describe('Environment variables, merged by name.').optional(),
  envFrom: envFrom
    .describe(
      'Environment variables from all keys of a ConfigMap or Secret. What env says stands above them, and so does NVIDIA_VISIBLE_DEVICES=void, which a container without GPUs has unless env names that variable.',
    )
    .optional(),
  ports: ports.describe('Ports that the container listens on.').optional(),
  resources: z
    .strictObject({
      requests: amounts.describe('What is set aside for it.').optional(),
      limits: amounts.describe('The most that it may take.').optional(),
    })
    .describe('What it needs.')
    .optional(),
  volumeMounts: volumeMounts.describe('Where it sees volumes, merged by path.').optional(),
});

/** What may be said of a container. */
export const container = common.extend(probes);

/** What may be said of an init container. */
export const initContainer = withRules(
  common.extend({
    restartPolicy: z
      .enum(['Always'])
      .describe(
        'Always makes it a native sidecar: it starts before the containers, is started again whenever it ends, and is stopped once they have ended. Default: it runs to its end before the next container starts.',
      )
      .optional(),
    ...probes,
  }),
  ...Object.keys(probes).map((name) => ({
    rule: `has(self.restartPolicy) || !has(self.${name})`,
    fieldPath: `.${name}`,
    message:
      'must be left out of an init container that runs to its end: leave it out, or set restartPolicy to Always, which makes it a native sidecar',
  })),
);
