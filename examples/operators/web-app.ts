// The WebApp of Pepr's examples: a page in a ConfigMap, and pods of nginx that show it.
import { ApiObject } from 'cdk8s';
import { createHash } from 'node:crypto';
import { defineKind, operate } from 'trunnion-operator';
import * as z from 'zod';

const COLORS = { light: 'color: #333; background: #fff', dark: 'color: #f5f5f5; background: #1a1a1a' };
const TEXTS = {
  en: { title: 'About', text: 'This page is served by an operator.' },
  es: { title: 'Acerca de', text: 'Un operador sirve esta página.' },
};
const PROTECTED = new Set(['default', 'kube-system', 'kube-public']);

export const WebApp = defineKind({
  group: 'pepr.io',
  version: 'v1alpha1',
  kind: 'WebApp',
  shortNames: ['wa'],
  description: 'A web page.',
  spec: z.strictObject({
    theme: z.enum(['dark', 'light']).describe('Its colors.'),
    language: z.enum(['en', 'es']).describe('Its language: English or Spanish.'),
    replicas: z.int().min(0).max(7).describe('Number of pods: at most 7, so that it leaves room for others.'),
  }),
  status: z.strictObject({ phase: z.enum(['Pending', 'Ready', 'Failed']).describe('How it is doing, in one word.') }),
  namespaced: (_spec, namespace) =>
    PROTECTED.has(namespace) ? [{ path: 'metadata.namespace', message: 'choose another one', got: namespace }] : [],
  children: ['v1/ConfigMap', 'apps/v1/Deployment', 'v1/Service'],
  reconcile: ({ ready, failures }) => ({
    status: { phase: failures.length > 0 ? 'Failed' : ready ? 'Ready' : 'Pending' },
  }),
  construct: (scope, { name, spec: { theme, language, replicas } }) => {
    const { title, text } = TEXTS[language];
    const page = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="${COLORS[theme]}"><h1>${title}</h1><p>${text}</p></body></html>\n`;
    const labels = { 'pepr.dev/operator': name };
    const content = `web-content-${name}`;
    const config = new ApiObject(scope, 'content', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: content },
      data: { 'index.html': page },
    });
    const container = {
      name: 'server',
      image: 'nginx:1.19.6-alpine',
      ports: [{ containerPort: 80 }],
      volumeMounts: [{ name: 'content', mountPath: '/usr/share/nginx/html' }],
    };
    // New pods for a new page, and for nothing else.
    const annotations = { 'pepr.io/page': createHash('sha256').update(page).digest('hex').slice(0, 16) };
    const deployment = new ApiObject(scope, 'deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations },
          spec: { containers: [container], volumes: [{ name: 'content', configMap: { name: content } }] },
        },
      },
    });
    deployment.addDependency(config);
    new ApiObject(scope, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] },
    });
  },
});

if (import.meta.main) await operate({ name: 'webapp-operator', kinds: [WebApp] });
