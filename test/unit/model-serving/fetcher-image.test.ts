import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { FETCHER_IMAGE_CONTEXT, ModelServing } from '../../../constructs/index.ts';
import type { ModelServingState, ModelServingSpecInput, RenderedChild } from '../../../constructs/index.ts';
import { FETCHER_SCRIPTS } from '../../../constructs/parts/weights/fetcher.generated.ts';
import type { PodSpec } from '../../../constructs/parts/objects/kube.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { kindsWith } from '../../../compat/kinds/index.ts';
import { printYaml } from '../../../yaml/print.ts';
import { parsed, templateOf } from './support/render.ts';
import { shared, single } from './support/specs.ts';

const IMAGE = 'registry.example.com/trunnion-operator:0.1.0';

function renderedWith(context: unknown, spec: ModelServingSpecInput, state?: ModelServingState) {
  const app = new App();
  app.node.setContext(FETCHER_IMAGE_CONTEXT, context);
  const props = { name: 'llama', namespace: 'models', spec, ...(state && { state }) };
  return new ModelServing(new Chart(app, 'chart'), 'serving', props).render();
}

const idsOf = (children: readonly RenderedChild[]) => children.map(({ id }) => id);

function podOf(children: readonly RenderedChild[], id: string): PodSpec {
  const child = children.find((each) => each.id === id);
  if (!child) throw new Error(`there is no ${id}`);
  return templateOf(child.manifest).spec;
}

const resource = {
  apiVersion: 'trunnion.dev/v1alpha1',
  kind: 'ModelServing',
  metadata: { name: 'llama', namespace: 'models' },
  spec: shared,
} as unknown as Resource;

describe('an image that has the fetcher in it, set for all models,', () => {
  test('runs the fetch and the wait for it, and no ConfigMap brings the program', () => {
    const children = renderedWith(IMAGE, shared);
    expect(idsOf(children)).not.toContain('fetcher-script');
    const [fetch] = podOf(children, 'fetch').containers;
    const [wait] = podOf(children, 'deployment').initContainers ?? [];
    for (const container of [fetch, wait]) {
      expect(container).toMatchObject({ image: IMAGE, command: ['node', '/trunnion/bin/fetch.mjs'] });
    }
    expect(children.filter(({ manifest }) => manifest.kind === 'ConfigMap')).toEqual([]);
    expect(JSON.stringify(children)).not.toContain('"configMap"');
  });

  test.each([
    ['the server fetches', single, 12.5],
    ['a Job fetches', shared, 16],
  ])('leaves little to read in a review where %s: at most so many KiB', (_, spec, kibibytes) => {
    const text = renderedWith(IMAGE, spec)
      .map(({ manifest }) => printYaml(manifest))
      .join('---\n');
    expect(text.length).toBeLessThan(kibibytes * 1024);
  });

  test('gives way to the image that a spec names, which runs the program of a ConfigMap', () => {
    const children = renderedWith(IMAGE, { ...shared, fetcher: { image: 'mirror.example.com/node:24' } });
    expect(idsOf(children)).toContain('fetcher-script');
    expect(podOf(children, 'fetch').containers[0]).toMatchObject({
      image: 'mirror.example.com/node:24',
      command: ['node', '/opt/trunnion/fetch.mjs'],
    });
  });

  test.each(['none', ''])('is %j where a ConfigMap is to bring the program, in each host', (image) => {
    const children = renderedWith(undefined, shared);
    expect(renderedWith(image, shared)).toEqual(children);
    const [kind] = kindsWith({ fetcherImage: image }).kinds;
    const [plain] = kindsWith({}).kinds;
    expect(kind?.render(resource, {})).toEqual(plain?.render(resource, {}));
  });

  test('gives way to what was pinned before, so that setting it restarts nothing', () => {
    const before = renderedWith('', shared, { images: { fetcher: 'node:old' } });
    expect(renderedWith(IMAGE, shared, { images: { fetcher: 'node:old' } })).toEqual(before);
    const pinned = { images: { fetcher: IMAGE, isFetcherBuiltIn: true } };
    expect(renderedWith('registry.example.com/trunnion-operator:0.2.0', shared, pinned)).toEqual(
      renderedWith(IMAGE, shared, pinned),
    );
  });

  test('fetches another model, whatever was pinned for the pods that still serve the earlier one', () => {
    const other = { ...shared, model: { uri: 'az://acme.blob.core.windows.net/models/other' } };
    const old = { images: { fetcher: 'operator:old', isFetcherBuiltIn: true } };
    const children = renderedWith(IMAGE, other, { ...old, serving: parsed(shared) });
    expect(podOf(children, 'fetch').containers[0]).toMatchObject({ image: IMAGE });
    expect(podOf(children, 'deployment').initContainers?.[0]).toMatchObject({ image: 'operator:old' });
  });

  test.each([
    ['in an image', { ...shared, model: { uri: 's3://models/other' } }, 'hf'],
    ['in a ConfigMap', { ...shared, model: { uri: 's3://models/other' }, fetcher: { image: 'node:24' } }, 's3'],
  ] as const)(
    'leaves the script to the pods of an earlier model, where that of the new one is %s',
    (_, spec, scheme) => {
      const pinned = { images: { fetcher: 'node:old' }, serving: parsed(shared) };
      const children = renderedWith(IMAGE, spec, pinned);
      const script = children.find(({ id }) => id === 'fetcher-script')?.manifest;
      expect(script?.['data']).toEqual({ 'fetch.mjs': FETCHER_SCRIPTS[scheme] });
    },
  );

  test('gives the same objects in the operator as in cdk8s', () => {
    const [kind] = kindsWith({ fetcherImage: IMAGE }).kinds;
    expect(kind?.render(resource, {})).toEqual(renderedWith(IMAGE, shared));
  });

  test.each([[7], ['two words'], [{ image: IMAGE }]])('is refused where it is no image: %j', (context) => {
    expect(() => renderedWith(context, shared)).toThrow(/trunnion\.dev\/fetcherImage: must be an image reference/);
  });
});
