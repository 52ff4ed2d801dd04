import { escapeXml } from '../../xml.ts';

/** What is read of an element or a text of a document. */
export interface DrawnNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DrawnNode>;
  /** Of an element alone. */
  readonly localName?: string;
  /** Of an element alone. */
  readonly attributes?: Iterable<Attribute>;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
}

const ELEMENT = 1;
const TEXT = 3;

/** Numbers with more decimals than anybody sees. */
const LONG_NUMBER = /\d{1,6}\.\d{3,}(?:e-?\d{1,3})?/g;

/** What an image as a whole says once, and a plot in it does not. */
const OF_THE_IMAGE: ReadonlySet<string> = new Set([
  'width',
  'height',
  'viewBox',
  'class',
  'fill',
  'font-family',
  'font-size',
]);

/** A plot as a group of an image, at its place there. Its own rules are left out: they are for pages. */
export function groupOf(plot: DrawnNode, x: number, y: number): string {
  const attributes = [...(plot.attributes ?? [])].filter(({ name }) => !OF_THE_IMAGE.has(name));
  return `<g transform="translate(${x},${y})" font-size="11"${attributesOf(attributes)}>${contentOf(plot)}</g>`;
}

function contentOf({ childNodes }: DrawnNode): string {
  let content = '';
  for (const child of childNodes) content += markupOf(child);
  return content;
}

function markupOf(node: DrawnNode): string {
  if (node.nodeType === TEXT) return escapeXml(node.textContent ?? '');
  if (node.nodeType !== ELEMENT || node.localName === 'style') return '';
  const content = contentOf(node);
  const start = `<${node.localName}${attributesOf(node.attributes)}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${node.localName}>`;
}

/** Labels of parts are left out: a reader without eyes gets the title and the description of the image as a whole. */
function attributesOf(attributes: Iterable<Attribute> = []): string {
  let text = '';
  for (const { name, value } of attributes)
    if (!name.startsWith('aria-')) text += ` ${name}="${escapeXml(shortened(value))}"`;
  return text;
}

const shortened = (value: string): string =>
  value.replaceAll(LONG_NUMBER, (number) => String(Math.round(Number(number) * 100) / 100));
