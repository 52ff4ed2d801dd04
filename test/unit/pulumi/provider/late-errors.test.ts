import { EventEmitter } from 'node:events';
import * as pulumi from '@pulumi/pulumi';
import { expect, test } from 'vitest';
import { tellLateErrors, withProblems } from '../../../../stacks/pulumi/provider/late-errors.ts';

const invalid = () =>
  new pulumi.InputPropertiesError({
    message: 'AgentService agent is invalid',
    errors: [
      { propertyPath: 'spec.model', reason: 'must be a name' },
      { propertyPath: 'spec.env[0].value', reason: 'must be text' },
    ],
  });

const MESSAGE = `AgentService agent is invalid
property spec.model has a problem: must be a name
property spec.env[0].value has a problem: must be text`;

test('an error that comes late tells all problems, once', () => {
  const error = invalid();
  withProblems(error);
  withProblems(error);
  expect(error.message).toBe(MESSAGE);
});

test('other errors stay as they are', () => {
  const error = new Error('broken');
  withProblems(error);
  withProblems(undefined);
  expect(error.message).toBe('broken');
});

test('it is told before those listen who hand the message on', () => {
  const program = new EventEmitter();
  const heard: string[] = [];
  program.on('unhandledRejection', (error: Error) => heard.push(error.message));
  tellLateErrors(program as unknown as NodeJS.Process);
  program.emit('unhandledRejection', invalid());
  expect(heard).toEqual([MESSAGE]);
});
