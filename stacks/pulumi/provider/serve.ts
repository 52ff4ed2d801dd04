import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import * as pulumi from '@pulumi/pulumi';
import { tellLateErrors } from './late-errors.ts';
import { ComponentProvider } from './provider.ts';

/** Answers the engine until that ends it. The port is the first line that it prints. */
export async function serve(args: string[]): Promise<void> {
  tellLateErrors(process);
  await pulumi.provider.main(new ComponentProvider(ownVersion()), args);
}

function ownVersion(): string {
  const file = findPackageJSON('..', import.meta.url);
  const { version }: { version?: string } = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  return version ?? '0.0.0';
}
