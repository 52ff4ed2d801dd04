/**
 * The content of every element of a name, in order. S3's answers are flat and have no attributes that matter. Each byte is
 * looked at once for a name, whatever the text.
 */
export function elements(xml: string, name: string): string[] {
  const found: string[] = [];
  const [begin, end] = [`<${name}`, `</${name}>`];
  for (let at = xml.indexOf(begin); at !== -1; at = xml.indexOf(begin, at)) {
    at += begin.length;
    // `<KeyCount>` is no `<Key>`.
    if (!/[\s>]/.test(xml.charAt(at))) continue;
    const from = xml.indexOf('>', at) + 1;
    const to = xml.indexOf(end, from);
    if (from === 0 || to === -1) break;
    found.push(xml.slice(from, to));
    at = to + end.length;
  }
  return found;
}

/** The text of the first element of a name; undefined where there is none. */
export function element(xml: string, name: string): string | undefined {
  return elements(xml, name)[0]?.replaceAll(ENTITY, (entity, hex, decimal, named) => {
    if (named !== undefined) return ENTITIES.get(named) ?? entity;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
  });
}

/** Bounded, so that no text makes it look twice. Entities that a document declares are not read: they stay as they are. */
const ENTITY = /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-z]{1,8}));/g;

const LAST_CODE_POINT = 0x10ffff;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
