#!/usr/bin/env node
/** The command `trunnion` of the package `trunnion`, which has the constructs alone: what it does is in a package beside it. */
const OTHER = 'trunnion-operator';

try {
  await import(`${OTHER}/cli`);
} catch (error) {
  if (!isMissing(error)) throw error;
  console.error(`trunnion: the command line and the operator are in the package ${OTHER}, which isn't installed.
Install it: npm install ${OTHER}`);
  process.exitCode = 1;
}

function isMissing(error: unknown): boolean {
  const { code, message }: { code?: unknown; message?: unknown } = Object(error);
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${OTHER}'`);
}
