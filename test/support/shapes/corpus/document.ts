import { parse } from 'yaml';
import type { Manifest } from '../../../../constructs/index.ts';

/** A resource as its users write it, with what nobody but they can say. */
export interface Document {
  readonly source: Manifest;
  /** The paths of ours that must be corrected before it can run. */
  readonly missing: readonly string[];
}

/** The resources of a YAML text. A comment `# missing: PATH, …` before one names what its equal lacks. */
export function documentsOf(text: string): readonly Document[] {
  return text.split('\n---\n').map((document) => {
    const [, missing = ''] = /^# missing: (.*)$/m.exec(document) ?? [];
    return { source: parse(document) as Manifest, missing: missing.split(',').flatMap((each) => each.trim() || []) };
  });
}
