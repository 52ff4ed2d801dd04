const rows = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row]')];

/** Goes to the next row of a list, or to the one before; to the first one where none has the focus. */
export function moveInList(step: 1 | -1): boolean {
  const all = rows();
  const at = all.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? all.at(0) : all[Math.min(all.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** Goes to a row by its resource. */
export function focusRow(key: string): boolean {
  const row = rows().find(({ dataset }) => dataset['row'] === key);
  row?.focus();
  return row !== undefined;
}

/** Goes to what a selector finds first. */
export function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  if (found instanceof HTMLInputElement) found.select();
  return found !== null;
}

/** Follows one of the links to the parts of a resource. */
export function openTab(number: number): boolean {
  const tab = document.querySelectorAll<HTMLElement>('nav.tabs a')[number - 1];
  tab?.click();
  return tab !== undefined;
}
