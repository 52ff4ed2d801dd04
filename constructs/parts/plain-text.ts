/** What {@link plainText} lets through beside plain characters. */
export interface PlainTextOptions {
  /**
   * Whether newlines and tabs stay.
   *
   * @default false
   */
  readonly lines?: boolean;
}

/** Controls of C0 and C1, marks that turn the direction of text or show nothing, separators of lines. */
const UNPLAIN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Text from outside as data: what a terminal or a page would obey becomes U+FFFD.
 */
export const plainText = (text: string, { lines = false }: PlainTextOptions = {}): string =>
  text.replaceAll(UNPLAIN, (mark) => (lines && (mark === '\n' || mark === '\t') ? mark : '\ufffd'));
