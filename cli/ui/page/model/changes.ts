import type { ResourceLine } from '../../api.ts';
import { keyOf } from './route.ts';

/** More than these at once nobody wants to hear one by one. */
const MOST = 3;

/** What a screen reader says after an answer that differs from the one before; empty where no phase is another. */
export function changesOf(before: readonly ResourceLine[], after: readonly ResourceLine[]): string {
  const phases = new Map(before.map((line) => [keyOf(line), line.phase]));
  const changed = after.filter((line) => phases.get(keyOf(line)) !== line.phase);
  const left = new Set(after.map(keyOf));
  const gone = before.filter((line) => !left.has(keyOf(line)));
  const sentences = [
    ...changed.map(({ kind, name, phase }) => `${kind} ${name} is ${phase || 'new'}.`),
    ...gone.map(({ kind, name }) => `${kind} ${name} is gone.`),
  ];
  return sentences.length > MOST ? `${sentences.length} resources changed.` : sentences.join(' ');
}
