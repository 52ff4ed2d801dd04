import { expect, test } from 'vitest';
import { lint } from '../../support/lint.ts';

const importing = (module: string): string => `import { thing } from '${module}';\nexport const other = thing;\n`;

test.for([
  ['constructs/parts/a.ts', '../../operator/engine/api/kind.ts', 'constructs are pure'],
  ['constructs/parts/a.ts', '../../cli/io.ts', 'constructs are pure'],
  ['constructs/a.ts', 'node:fs', 'constructs do no I/O'],
  ['constructs/a.ts', '@kubernetes/client-node', 'constructs do no I/O'],
  ['operator/a.ts', '../cli/io.ts', 'the operator is a host beside the others'],
  ['operator/a.ts', '../cluster/index.ts', 'the operator is a host beside the others'],
  ['operator/a.ts', '@kubernetes/client-node', 'client-node gives types only'],
  ['operator/engine/a.ts', '../kinds/model-serving/index.ts', 'the engine knows no kind'],
  ['operator/engine/a.ts', '../../constructs/model-serving/spec.ts', 'the engine knows no kind'],
  ['operator/kube/a.ts', '../engine/kind.ts', 'knows neither engine nor constructs'],
  ['operator/kube/a.ts', '../../constructs/workload.ts', 'knows neither engine nor constructs'],
  ['stacks/cdk8s/a.ts', '../../operator/index.ts', 'static hosts need the constructs'],
  ['stacks/operator/a.ts', '../../operator/engine/api/kind.ts', 'knows its kinds and rights'],
  ['stacks/operator/a.ts', '../../cli/io.ts', 'knows its kinds and rights'],
  ['fetcher/a.ts', '../operator/index.ts', 'a program of its own that runs in a pod'],
  ['fetcher/a.ts', 'undici', "node's own modules only"],
  ['constructs/a.ts', '../fetcher/fetch.ts', 'constructs are pure'],
  ['tuning/a.ts', '../operator/index.ts', 'a pure package of numbers'],
  ['tuning/a.ts', '../constructs/index.ts', 'a pure package of numbers'],
  ['tuning/a.ts', 'node:fs', 'tuning does no I/O'],
  ['operator/a.ts', '../compat/kinds/index.ts', 'the operator is a host beside the others'],
  ['stacks/cdk8s/a.ts', '../../compat/kinds/index.ts', 'static hosts need the constructs'],
  ['constructs/a.ts', '../compat/convert/index.ts', 'constructs are pure'],
  ['compat/kinds/a.ts', '../../cli/io.ts', 'knows our kinds, and no host'],
  ['cluster/a.ts', '../operator/kube/index.ts', 'the embedded cluster stands alone'],
  ['certificates/a.ts', '../operator/index.ts', 'know no other room'],
  ['testing/a.ts', '../operator/kinds/index.ts', 'knows no kind and no host'],
  ['testing/simulate/a.ts', '../../cli/io.ts', 'knows no kind and no host'],
  ['testing/a.ts', 'vitest', 'works with any test framework'],
  ['testing/faults/a.ts', '../../operator/kinds/model-serving/index.ts', 'knows no kind and no host'],
  ['testing/a.ts', '../test/support/client.ts', 'knows no kind and no host'],
  ['operator/a.ts', '../testing/faults/index.ts', 'the operator is a host beside the others'],
  ['cluster/a.ts', '../testing/cluster/index.ts', 'the embedded cluster stands alone'],
  ['cli/ui/page/a.ts', 'node:fs', 'the page runs in a browser'],
  ['cli/ui/page/a.ts', '../../../operator/kube/index.ts', 'the page runs in a browser'],
] as const)('%s may not import %s', async ([file, module, reason]) => {
  const { code, stdout } = await lint(file, importing(module));
  expect(stdout).toContain(reason);
  expect(code).not.toBe(0);
});

test.for([
  ['operator/kinds/model-serving/a.ts', '../../../constructs/index.ts'],
  ['operator/engine/a.ts', '../kube/index.ts'],
  ['operator/kube/a.ts', '../../constructs/parts/values/index.ts'],
  ['operator/kube/a.ts', '../../constructs/schema/json.ts'],
  ['operator/conversion/a.ts', '../../certificates/index.ts'],
  ['stacks/cdk8s/a.ts', '../../constructs/index.ts'],
  ['stacks/operator/a.ts', '../../operator/rbac.ts'],
  ['cli/a.ts', '../operator/index.ts'],
  ['testing/simulate/a.ts', '../../operator/engine/reconcile/index.ts'],
  ['testing/a.ts', '../cluster/index.ts'],
  ['stacks/operator/a.ts', '../../compat/kinds/index.ts'],
  ['fetcher/a.ts', '../constructs/parts/weights/index.ts'],
  ['fetcher/a.ts', 'node:fs'],
  ['testing/faults/a.ts', '../../cluster/index.ts'],
  ['cli/ui/page/a.ts', '../../layout.ts'],
] as const)('%s may import %s', async ([file, module]) => {
  expect(await lint(file, importing(module))).toMatchObject({ code: 0 });
});

test('the operator may import the types of client-node', async () => {
  const source = `import type { V1Pod } from '@kubernetes/client-node';\nexport const name = (pod: V1Pod) => pod.metadata?.name;\n`;
  expect(await lint('operator/a.ts', source)).toMatchObject({ code: 0 });
});

test.for([
  ['operator/kinds/a.ts', '../../tuning/axis.ts', 'tuning has one door: import from tuning/index.ts'],
  ['cli/a.ts', '../tuning/suggest.ts', 'tuning has one door'],
  ['operator/kinds/a.ts', '../engine/api/kind.ts', 'operator/engine/api has one door'],
  ['operator/engine/queue/a.ts', '../api/kind.ts', 'operator/engine/api has one door'],
  ['cli/a.ts', '../operator/kube/client/client.ts', 'operator/kube has one door'],
  ['operator/kube/cache/a.ts', '../client/client.ts', 'operator/kube/client has one door'],
  ['constructs/a.ts', './parts/pod/probes.ts', 'constructs/parts/pod has one door'],
  ['cli/a.ts', '../compat/kinds/kind.ts', 'compat/kinds has one door'],
  ['constructs/a.ts', './parts/pod/pod.schema.ts', 'constructs/parts/pod has one door'],
  ['tuning/a.ts', '../tuning/../operator/kube/schema.ts', 'operator/kube has one door'],
] as const)('%s may not go around the door of a room by %s', async ([file, module, reason]) => {
  const ways = [
    `export * from '${module}';\n`,
    `export { thing } from '${module}';\n`,
    `export const other = await import('${module}');\n`,
  ];
  for (const source of [importing(module), ...ways]) {
    const { code, stdout } = await lint(file, source);
    expect(stdout).toContain(reason);
    expect(code).not.toBe(0);
  }
});

test.for([
  ['operator/kinds/a.ts', '../../tuning/index.ts'],
  ['tuning/a.ts', './axis.ts'],
  ['test/unit/tuning/a.ts', '../../../tuning/axis.ts'],
  ['operator/kinds/a.ts', '../engine/api/index.ts'],
  ['operator/kube/cache/a.ts', '../client/index.ts'],
  ['constructs/a.ts', './parts/pod/index.ts'],
  ['constructs/a.ts', './parts/pod/schema.ts'],
] as const)('%s may import %s, as its household or by the door', async ([file, module]) => {
  expect(await lint(file, importing(module))).toMatchObject({ code: 0 });
});
