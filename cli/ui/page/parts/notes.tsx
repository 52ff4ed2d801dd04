import { type Trouble, wordsOf } from '../model/polling.ts';

/** What is to be known beside all else: that no operator looks, what may not be seen. */
export function Notes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="notes" aria-label="Notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** Why there is no newer answer, unless the whole page says so. */
export function Refused({ trouble }: { readonly trouble: Trouble | undefined }) {
  if (trouble?.kind !== 'refused') return null;
  return (
    <p class="banner failed" role="alert">
      {wordsOf(trouble)}
    </p>
  );
}
