import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { kubectl } from '../../cluster/support/client.ts';
import { userProject } from './project.ts';
import { StackUnderTest } from './stack.ts';

const IMPORTS = `
import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { AgentService, DistributedTraining, ModelServing } from 'trunnion/pulumi';
`;

/** A stack, and the namespace that its program has. */
export interface Placed {
  readonly stack: StackUnderTest;
  readonly namespace: string;
}

/** The stack of a program that finds a namespace of its own as `namespace`. It is destroyed once the test is over. */
export async function stackOfProgram(program: string): Promise<Placed> {
  const namespace = `of-program-${randomBytes(4).toString('hex')}`;
  await kubectl('create', 'namespace', namespace);
  const stack = await StackUnderTest.of(userProject(`${IMPORTS}const namespace = '${namespace}';\n${program}`), 'test');
  onTestFinished(async () => {
    await stack.destroy();
    stack.remove();
  });
  return { stack, namespace };
}
