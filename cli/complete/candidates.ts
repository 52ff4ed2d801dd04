import type { Argument, Command, Option } from 'commander';

/** What can be found out in the cluster. */
export type Lookup = 'resources' | 'namespaces';

/** A word that fits. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What may stand at the end of a command line. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether names of files may stand there. */
  readonly files: boolean;
  /** What else fits, and has to be looked up; with what the options before say of where. */
  readonly lookup?: { readonly what: Lookup; readonly options: Readonly<Record<string, string>> };
}

/**
 * What may stand in place of the last word of a command line.
 *
 * @param words - those after the name of the program; the last one may be a part of a word, or empty
 */
export function complete(program: Command, words: readonly string[]): Completion {
  const line = read(program, words.slice(0, -1));
  const current = words.at(-1) ?? '';
  const [flag = '', value] = current.startsWith('--') && current.includes('=') ? splitOnce(current) : [];
  const option = line.open ?? optionOf(line.command, flag);
  if (option)
    return valuesOf(option, value ?? (current === '=' ? '' : current), line, value === undefined ? '' : `${flag}=`);
  if (current.startsWith('-')) return { candidates: starting(flagsOf(line.command), current), files: false };
  if (line.command.commands.length > 0) return { candidates: starting(verbsOf(line.command), current), files: false };
  return argumentOf(line, current);
}

/** A command line as far as it is written. */
interface Line {
  readonly command: Command;
  /** How many arguments there are. */
  readonly count: number;
  /** The option that waits for its value. */
  readonly open?: Option;
  readonly options: Readonly<Record<string, string>>;
}

function read(program: Command, words: readonly string[]): Line {
  let line: Line = { command: program, count: 0, options: {} };
  for (const word of words) line = readWord(line, word);
  return line;
}

function readWord({ open, ...line }: Line, word: string): Line {
  // bash cuts --output=json into three words.
  if (word === '=') return { ...line, ...(open && { open }) };
  if (open) return { ...line, options: { ...line.options, [open.attributeName()]: word } };
  if (word.startsWith('-')) {
    const [flag, value] = splitOnce(word);
    const option = optionOf(line.command, flag);
    if (!option || !(option.required || option.optional)) return line;
    if (value === undefined) return { ...line, open: option };
    return { ...line, options: { ...line.options, [option.attributeName()]: value } };
  }
  const verb = line.command.commands.find((command) => command.name() === word || command.aliases().includes(word));
  return verb && line.count === 0 ? { ...line, command: verb } : { ...line, count: line.count + 1 };
}

function splitOnce(word: string): readonly [string, string?] {
  const at = word.indexOf('=');
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

const optionOf = (command: Command, flag: string): Option | undefined =>
  command.options.find((option) => flag !== '' && (option.long === flag || option.short === flag));

function valuesOf(option: Option, current: string, { options }: Line, before: string): Completion {
  const choices = (option.argChoices ?? []).map((value) => ({ value, description: '' }));
  const candidates = starting(choices, current).map(({ value }) => ({ value: `${before}${value}`, description: '' }));
  const isNamespace = option.attributeName().toLowerCase().endsWith('namespace');
  return {
    candidates,
    files: /<(path|file)>/.test(option.flags),
    ...(isNamespace && before === '' && { lookup: { what: 'namespaces', options } }),
  };
}

/** Names of arguments that a resource of the cluster is meant by. */
const RESOURCES = new Set(['resource', 'name']);

/** Names of arguments that a file or a folder is meant by. */
const PATHS = new Set(['file', 'folder', 'module']);

function argumentOf({ command, count, options }: Line, current: string): Completion {
  const argument: Argument | undefined = command.registeredArguments[count];
  if (argument === undefined) return { candidates: [], files: false };
  const choices = (argument.argChoices ?? []).map((value) => ({ value, description: '' }));
  return {
    candidates: starting(choices, current),
    files: PATHS.has(argument.name()),
    ...(RESOURCES.has(argument.name()) && { lookup: { what: 'resources', options } }),
  };
}

/** Those that begin with what is written. */
export const starting = (candidates: readonly Candidate[], current: string): readonly Candidate[] =>
  candidates.filter(({ value }) => value.startsWith(current));

const verbsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((verb) => ({ value: verb.name(), description: firstSentence(verb.summary() || verb.description()) }));

const flagsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', description: firstSentence(description) }));

const firstSentence = (text: string): string => /^.*?(?=[.:;] |\.$|$)/.exec(text)?.[0] ?? '';
