import { minimal, type RefusedExample } from './example.ts';

/** Annotations that no host puts on an object, whatever an administrator allows. */
export const refusedAnnotations: readonly RefusedExample[] = [
  {
    title: 'annotations that write into the configuration of an ingress controller',
    spec: {
      ...minimal,
      expose: {
        ingress: {
          host: 'a.example',
          annotations: { 'nginx.ingress.kubernetes.io/configuration-snippet': 'return 200;' },
        },
      },
    },
    problems: [['spec.expose.ingress.annotations', 'configuration of the controller']],
  },
  {
    title: 'annotations by which other controllers are configured',
    spec: {
      ...minimal,
      expose: { ingress: { host: 'a.example', annotations: { 'zalando.org/skipper-routes': 'a: * -> <shunt>' } } },
    },
    problems: [['spec.expose.ingress.annotations', 'configuration of the controller']],
  },
  ...['\n', '\r', '\u0000', '\u001b', '\u007f', '\u0085', '\u2028', '\u202e', '\u2066'].map((character) => {
    const annotations = { 'example.com/note': `a${character}b` };
    return {
      title: `annotations with the character ${JSON.stringify(character)}`,
      spec: {
        ...minimal,
        expose: { ingress: { host: 'a.example', annotations } },
        serviceAccount: { annotations },
        podTemplate: { metadata: { annotations } },
      },
      problems: [
        ['spec.expose.ingress.annotations', 'text on one line'],
        ['spec.serviceAccount.annotations', 'text on one line'],
        ['spec.podTemplate.metadata.annotations', 'text on one line'],
      ],
    } satisfies RefusedExample;
  }),
  {
    title: 'annotations of ours on what is not a pod',
    spec: {
      ...minimal,
      expose: { ingress: { host: 'a.example', annotations: { 'trunnion.dev/paused': 'a' } } },
      serviceAccount: { annotations: { 'app.kubernetes.io/name': 'a' } },
    },
    problems: [
      ['spec.expose.ingress.annotations', 'are set by Trunnion'],
      ['spec.serviceAccount.annotations', 'are set by Trunnion'],
    ],
  },
];
