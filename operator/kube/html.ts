/** Elements whose content nobody reads. */
const UNREAD = /^<(style|script)\b/i;
/** As long as the longest of their names, with what stands around it. */
const UNREAD_LENGTH = '<script>'.length;

/** The text of an HTML page, without its tags, its scripts and styles. Linear in its length, whatever it holds. */
export function textOfHtml(html: string): string {
  const texts: string[] = [];
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at);
    const close = open < 0 ? -1 : html.indexOf('>', open);
    if (close < 0) {
      texts.push(html.slice(at));
      break;
    }
    texts.push(html.slice(at, open));
    at = endOf(html, open, close);
  }
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** Where an element that starts with this tag is over: with it, or with all of it that nobody reads. */
function endOf(html: string, open: number, close: number): number {
  const name = UNREAD.exec(html.slice(open, open + UNREAD_LENGTH))?.[1];
  if (name === undefined) return close + 1;
  const end = html.indexOf(`</${name}>`, close);
  return end < 0 ? html.length : end + name.length + 3;
}
