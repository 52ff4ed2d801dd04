import { expect, test } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { blocks } from '../support/markdown.ts';
import { userProject } from './support/project.ts';
import { StackUnderTest } from './support/stack.ts';

/** The programs for Pulumi that our pages show; where there is an operator, other tests run them. */
const programs = (await blocks()).filter(
  ({ info, text }) => info === 'ts' && text.includes("'trunnion/pulumi'") && !text.includes("via: 'operator'"),
);

/** What some of them refer to: the stack of another team. */
const STORAGE = `
import * as k8s from '@pulumi/kubernetes';
export const namespace = new k8s.core.v1.Namespace('shared').metadata.name;
export const bucket = 'models';
`;

test('there are programs to run', () => {
  expect(new Set(programs.map(({ file }) => file))).toEqual(new Set(['README.md', 'docs/concepts/hosts.md']));
});

test.for(programs)('the program that $file shows comes up as it is, and goes', async ({ text }) => {
  const storage = await StackUnderTest.of(userProject(STORAGE, 'storage'), 'prod');
  // In a backend of files, every stack is of one organization.
  const program = text.replaceAll("'acme/", "'organization/");
  const stack = await StackUnderTest.of(userProject(program), 'test', storage);
  try {
    if (program.includes('StackReference')) await storage.up();
    const { counts } = await stack.up();
    const { endpoint } = await stack.outputs();
    const [, name = '', namespace = ''] = /^http:\/\/([^.]+)\.([^.]+)\.svc:8000\/v1$/.exec(String(endpoint)) ?? [];
    expect(await adminClient().find(TYPES.service, { namespace, name })).toBeDefined();
    expect((await stack.destroy()).counts).toMatchObject({ delete: counts['create'] });
    await storage.destroy();
  } finally {
    stack.remove();
    storage.remove();
  }
});
