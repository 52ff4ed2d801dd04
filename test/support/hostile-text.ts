import * as fc from 'fast-check';

const ESC = '\u001B';

/** What text of others may do to anyone who shows it. Each has the word `words`, which has to stay readable. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'a write to the clipboard': `${ESC}]52;c;cm0gLXJmIH4=\u0007words`,
  'a cleared screen': `${ESC}[2J${ESC}[Hwords`,
  'a title of the window': `${ESC}]0;root@prod\u0007words`,
  'a link': `${ESC}]8;;https://evil.example${ESC}\\words${ESC}]8;;${ESC}\\`,
  'a green tick': `${ESC}[32m✓${ESC}[39m words`,
  'colours within colours': `${ESC}[${ESC}[0m31mwords`,
  'C1 controls': 'words\u009B2J\u009D52;c;aGk=\u009C\u0085\u0090',
  'a bell and a delete': 'words\u0007\u0008\u0008\u007F\u0000',
  'a carriage return': 'words\r✓ GPUs',
  'lines of its own': 'words\n✓ GPUs\r\n✓ Storage\u000B\u000C\u2028\u2029✓',
  'a turned direction': 'words \u202Egnp.exe\u202C \u2066a\u2069\u200E\u200F\u061C',
  'nothing to be seen': 'wor\u00ADds words\u200B\u2060\uFEFF\u180E\u3164\u115F\u2063',
  'joiners in Latin words': 'words ad\u200Dmin\u200C a\uFE0F',
  'hidden tags': 'words\u{E0001}\u{E0041}\u{E007F}\u{E0100}',
  'torn surrogates': 'words \uD800 \uDC00x',
  noncharacters: 'words\uFFFE\uFFFF\uFDD0\u{1FFFF}',
  'an end of XML and YAML': `words]]></text><script>alert(1)</script>"'&\\\u0001`,
};

/** Beside letters: in these ranges nothing is seen, or it steers who shows it. Written down again, not taken from the code. */
const FORBIDDEN: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x06_1c, 0x06_1c],
  [0x11_5f, 0x11_60],
  [0x18_0e, 0x18_0e],
  [0x20_0b, 0x20_0b],
  [0x20_0e, 0x20_0f],
  [0x20_28, 0x20_2e],
  [0x20_60, 0x20_6f],
  [0x31_64, 0x31_64],
  [0xd8_00, 0xdf_ff],
  [0xfd_d0, 0xfd_ef],
  [0xfe_ff, 0xfe_ff],
  [0xff_f0, 0xff_fb],
  [0xe_00_00, 0xe_00_7f],
];

/** The forbidden characters in a text of several lines, by their numbers. */
export const unseenIn = (text: string): readonly string[] =>
  Array.from(text)
    .map((character) => character.codePointAt(0) ?? 0)
    .filter((code) => FORBIDDEN.some(([from, to]) => code >= from && code <= to) || (code & 0xff_fe) === 0xff_fe)
    .map((code) => `U+${code.toString(16).toUpperCase()}`);

/** Text with much in it that is forbidden. */
export const arbitraryHostile = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...Object.values(HOSTILE)),
        fc.constantFrom(
          '\u200D',
          '\u200C',
          '\uFE0F',
          '\r',
          '\n',
          '\t',
          ESC,
          '[',
          'm',
          '0',
          ';',
          '👩',
          '🏽',
          'क',
          '्',
          'ی',
          '漢',
        ),
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.integer({ min: 0, max: 0xff_ff }).map((unit) => String.fromCharCode(unit)),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
