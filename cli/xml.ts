import { plainText } from '../constructs/parts/values/index.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in XML, between tags or in an attribute; XML has no control characters, not even as entities. */
export const escapeXml = (text: string): string =>
  plainText(text, { lines: true }).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
