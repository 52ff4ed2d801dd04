import { expect, test } from 'vitest';
import { conversionRules, conversionService, conversionUrl, webhookOf } from '../../../operator/conversion/index.ts';
import { plain, webApp } from './support/kinds.ts';

test('the rights are to the CRD and to the Secret by their names, and to make a Secret', () => {
  expect(conversionRules([plain, webApp], { name: 'acme-operator' })).toEqual({
    cluster: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        verbs: ['get', 'patch'],
        resourceNames: ['webapps.acme.dev'],
      },
    ],
    namespace: [
      {
        apiGroups: [''],
        resources: ['secrets'],
        verbs: ['get', 'update'],
        resourceNames: ['acme-operator-conversion'],
      },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    ],
  });
});

test('an operator that converts nothing needs no rights for it', () => {
  expect(conversionRules([plain], { name: 'acme-operator' })).toEqual({ cluster: [], namespace: [] });
});

test('the Service leads to pods that are not ready too, under the name that the CRD has', () => {
  const [name, namespace] = ['acme-operator', 'acme'];
  const service = conversionService({ name, namespace, selector: { app: 'acme' }, labels: { a: 'b' } });
  expect(service).toMatchObject({
    metadata: { ...webhookOf({ name, namespace }).service, labels: { a: 'b' } },
    spec: { selector: { app: 'acme' }, publishNotReadyAddresses: true, ports: [{ port: 443, targetPort: 9443 }] },
  });
});

test('a URL may have an address of any family', () => {
  expect(conversionUrl('acme.dev')).toBe('https://acme.dev:9443/convert');
  expect(conversionUrl('::1', 8443)).toBe('https://[::1]:8443/convert');
});
