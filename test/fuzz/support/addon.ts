/**
 * Loaded before Jazzer.js. Its addon for Linux is linked against a newer C and C++ library than, for instance, Debian 12
 * has, for three functions: two that read a number, by the names that they have had since then, and one that prepares C++'s
 * streams, which an older library does by itself. Where the addon does not load, a copy of it is loaded that asks for their
 * older names.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Functions that an older library lacks, and those that do the same there, whose names are part of the addon as well. */
const OLDER: Readonly<Record<string, string>> = {
  __isoc23_strtol: 'strtol',
  __isoc23_strtoul: 'strtoul',
  // To ask for the process's number does nothing.
  _ZSt21ios_base_library_initv: 'getpid',
};

/** Versions of the libraries that are no longer asked for. */
const NEWER = new Set(['GLIBC_2.38', 'GLIBCXX_3.4.32']);

/** Of an ELF file with 64 bits: places of what is read here. */
const SECTION_BYTES = 64;
const SYMBOL_BYTES = 24;
const WEAK = 2;

interface Section {
  readonly at: number;
  readonly bytes: number;
}

/** The same addon, which asks for what older libraries have. */
function older(addon: Buffer): Buffer {
  const [symbols, strings, versions, needed] = ['.dynsym', '.dynstr', '.gnu.version', '.gnu.version_r'].map((name) =>
    sectionOf(addon, name),
  ) as [Section, Section, Section, Section];
  const text = (offset: number): string => {
    const start = strings.at + offset;
    return addon.toString('latin1', start, addon.indexOf(0, start));
  };
  for (let number = 0; number * SYMBOL_BYTES < symbols.bytes; number += 1) {
    const at = symbols.at + number * SYMBOL_BYTES;
    const name = OLDER[text(addon.readUInt32LE(at))];
    if (name === undefined) continue;
    const place = addon.indexOf(`${name}\0`, strings.at, 'latin1') - strings.at;
    if (place < 0 || place >= strings.bytes) throw new Error(`the addon does not have the name ${name}`);
    addon.writeUInt32LE(place, at);
    // Of no version: whichever the library has.
    addon.writeUInt16LE(1, versions.at + number * 2);
  }
  for (let at = needed.at; ; at += addon.readUInt32LE(at + 12)) {
    for (let entry = at + addon.readUInt32LE(at + 8), left = addon.readUInt16LE(at + 2); left > 0; left -= 1) {
      if (NEWER.has(text(addon.readUInt32LE(entry + 8)))) addon.writeUInt16LE(WEAK, entry + 4);
      entry += addon.readUInt32LE(entry + 12);
    }
    if (addon.readUInt32LE(at + 12) === 0) return addon;
  }
}

function sectionOf(addon: Buffer, wanted: string): Section {
  const table = Number(addon.readBigUInt64LE(40));
  const header = (number: number): number => table + number * SECTION_BYTES;
  const names = Number(addon.readBigUInt64LE(header(addon.readUInt16LE(62)) + 24));
  for (let number = 0; number < addon.readUInt16LE(60); number += 1) {
    const at = header(number);
    const start = names + addon.readUInt32LE(at);
    if (addon.toString('latin1', start, addon.indexOf(0, start)) !== wanted) continue;
    return { at: Number(addon.readBigUInt64LE(at + 24)), bytes: Number(addon.readBigUInt64LE(at + 32)) };
  }
  throw new Error(`the addon has no section ${wanted}`);
}

const load = process.dlopen.bind(process);

process.dlopen = (...args: Parameters<typeof load>): void => {
  try {
    load(...args);
  } catch (error) {
    const [module, file, ...flags] = args;
    if (!file.includes('@jazzer.js') || !/version `GLIBC/.test(String(error))) throw error;
    const copy = join(mkdtempSync(join(tmpdir(), 'trunnion-fuzz-')), 'fuzzer.node');
    writeFileSync(copy, older(readFileSync(file)));
    load(module, copy, ...flags);
  }
};
