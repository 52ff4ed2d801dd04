import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { versionOf } from '../../../../cluster/binaries.ts';

test('the kubelet is of the version of the control plane', () => {
  const version = (folder: string): string =>
    versionOf(readFileSync(`cluster/${folder}/go.mod`, 'utf8'), 'k8s.io/kubernetes');
  expect(version('real-node/kubernetes')).toBe(version('control-plane'));
});
