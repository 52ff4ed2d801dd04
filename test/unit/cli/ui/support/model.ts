import { itemsOf, type PodPort } from '../../support/forwarding-cluster.ts';
import { live, pod, READY_POD } from '../../support/objects.ts';
import { Served } from './served.ts';

export const OURS = '/apis/trunnion.dev/v1alpha1/namespaces/models';
export const PODS = '/api/v1/namespaces/models/pods';
/** Names the model in a query. */
export const LLAMA = '?kind=ModelServing&namespace=models&name=llama';
export const spec = { engine: { type: 'vllm' }, model: { uri: 'hf://a/b' } };
const status = {
  phase: 'Running',
  selector: 'app=llama',
  readyReplicas: 1,
  conditions: [
    { type: 'Available', status: 'True', reason: 'Available', message: '' },
    { type: 'Ready', status: 'True', reason: 'Ready', message: 'It \u001b[31manswers\u202e.' },
  ],
};

/** The model, as it is or with other fields. */
export const serving = (fields: object = {}) =>
  live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', { spec, status, ...fields });

/** The types of all that a resource may have, with nothing of them there. */
const EMPTY = Object.fromEntries(
  [
    ...['serviceaccounts', 'configmaps', 'persistentvolumeclaims', 'services', 'events'].map(
      (name) => `/api/v1/${name}`,
    ),
    ...['deployments', 'replicasets'].map((name) => `/apis/apps/v1/${name}`),
    ...['networkpolicies', 'ingresses'].map((name) => `/apis/networking.k8s.io/v1/${name}`),
    '/apis/batch/v1/jobs',
    '/apis/policy/v1/poddisruptionbudgets',
    '/apis/autoscaling/v2/horizontalpodautoscalers',
    '/apis/discovery.k8s.io/v1/endpointslices',
  ].map((path) => [path.replace(/[^/]+$/, 'namespaces/models/$&'), itemsOf()]),
);

/** A server on a cluster with a model, whose pods are those that have a port. */
export const served = (
  ports: Readonly<Record<string, PodPort>> = {},
  objects: Readonly<Record<string, object | number>> = {},
) =>
  Served.start({
    ports,
    objects: {
      ...EMPTY,
      [`${OURS}/modelservings`]: itemsOf(serving()),
      [`${OURS}/agentservices`]: itemsOf(),
      [`${OURS}/distributedtrainings`]: itemsOf(),
      [`${OURS}/modelservings/llama`]: serving(),
      [PODS]: itemsOf(...Object.keys(ports).map((name) => pod(name, READY_POD))),
      ...objects,
    },
  });
