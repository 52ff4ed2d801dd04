import * as pulumi from '@pulumi/pulumi';

/**
 * Has an error that is found once texts are known tell all that is wrong. The SDK ends what runs with it, and hands on
 * its message alone (@pulumi/pulumi 3.270.0, provider/server.js, uncaughtHandler), so the message gets the problems.
 */
export function tellLateErrors(program: Pick<NodeJS.Process, 'prependListener'>): void {
  // Before the SDK's own listeners, which come with the server.
  program.prependListener('unhandledRejection', withProblems);
}

/** Writes the problems of invalid inputs into the message, once. */
export function withProblems(error: unknown): void {
  if (!pulumi.InputPropertiesError.isInstance(error)) return;
  const lines = error.errors.map(({ propertyPath, reason }) => `property ${propertyPath} has a problem: ${reason}`);
  if (lines.some((line) => error.message.includes(line))) return;
  error.message = [error.message, ...lines].join('\n');
}
