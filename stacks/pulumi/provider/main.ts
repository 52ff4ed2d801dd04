#!/usr/bin/env node
/**
 * The plugin `trunnion` of Pulumi, `pulumi-resource-trunnion`: the engine starts it for components of any language. It
 * prints the port on which it answers.
 */
try {
  const { serve } = await import('./serve.ts');
  await serve(process.argv.slice(2));
} catch (error) {
  const missing = missingIn(error);
  if (missing === undefined) throw error;
  process.stderr.write(`pulumi-resource-trunnion: the package ${missing} isn't installed.
Install what the components are made with: npm install trunnion @pulumi/pulumi @pulumi/kubernetes cdk8s constructs
`);
  process.exitCode = 1;
}

/** The package that could not be found; undefined where something else is wrong. */
function missingIn(error: unknown): string | undefined {
  const { code, message }: { code?: unknown; message?: unknown } = Object(error);
  if (code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /^Cannot find package '([^']+)'/.exec(String(message))?.[1];
}
