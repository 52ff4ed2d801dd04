/** A URL from a setting, without the slashes at its end: paths are put behind it. */
export function endpointOf(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
