import { type AnnotationClass } from '../../../../constructs/parts/annotations/group.ts';
import { SpecError } from '../../../../constructs/schema/error.ts';
import type { RenderedChild } from '../../../../constructs/workload.ts';
import type { Kind } from '../../../../operator/engine/api/kind.ts';
import type { Resource } from '../../../../operator/engine/api/resource.ts';
import { kindsWith, type KindSettings } from '../../../../compat/kinds/index.ts';

export const SPECS: Readonly<Record<string, object>> = {
  ModelServing: {
    model: { uri: 'pvc://weights/llama' },
    engine: { type: 'vllm' },
    resources: { gpu: 0, memory: '1Gi' },
  },
  AgentService: { image: 'registry.example.com/agent:1', model: 'gpt-4o' },
  DistributedTraining: { framework: 'pytorch', image: 'registry.example.com/trainer:1', replicas: 2 },
};
export const OBJECTS: Readonly<Record<AnnotationClass, string>> = {
  ingress: 'Ingress',
  serviceAccount: 'ServiceAccount',
  pod: 'pod',
};

export const placed = (of: AnnotationClass, annotations: object): object =>
  ({
    ingress: { expose: { ingress: { host: 'llama.example.com', className: 'other', annotations } } },
    serviceAccount: { serviceAccount: { annotations } },
    pod: { podTemplate: { metadata: { annotations } } },
  })[of];

export const resourceOf = (kind: string, spec: object, metadata: object = {}): Resource => ({
  apiVersion: 'trunnion.dev/v1alpha1',
  kind,
  metadata: { name: 'llama', namespace: 'models', uid: '1', resourceVersion: '1', creationTimestamp: '', ...metadata },
  spec: { ...SPECS[kind], ...spec },
});

export const find = (among: readonly Kind[], name: string): Kind => {
  const kind = among.find(({ type }) => type.kind === name);
  if (kind === undefined) throw new Error(`there is no ${name}`);
  return kind;
};

export const allowing = (lists: NonNullable<KindSettings['allowedAnnotations']>) =>
  kindsWith({ allowedAnnotations: lists }).kinds;
export const everything = allowing({ ingress: ['*'], serviceAccount: ['*'], pod: ['*'] });

export function refusalOf(render: () => unknown): SpecError | undefined {
  try {
    render();
    return undefined;
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
}

/** The annotations of every object and pod of a class that was rendered. */
export const annotationsOn = (of: AnnotationClass, children: readonly RenderedChild[]): object =>
  Object.assign(
    {},
    ...children.map(({ manifest }) => {
      const spec = manifest['spec'] as {
        readonly template?: { readonly metadata?: { readonly annotations?: object } };
      };
      if (of === 'pod') return spec?.template?.metadata?.annotations ?? {};
      return manifest.kind === OBJECTS[of] ? (manifest.metadata.annotations ?? {}) : {};
    }),
  ) as object;

/** Which kinds have objects of a class. */
export const kindsOf = (of: AnnotationClass): readonly string[] =>
  Object.keys(SPECS).filter((kind) => of !== 'ingress' || kind !== 'DistributedTraining');
