/** The content of every element of a name, in order. S3's answers are flat and have no attributes that matter. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map((match) => match[1] ?? '');

/** The text of the first element of a name; undefined where there is none. */
export function element(xml: string, name: string): string | undefined {
  return elements(xml, name)[0]?.replaceAll(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (entity, hex, decimal, named) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[named] ?? entity;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
