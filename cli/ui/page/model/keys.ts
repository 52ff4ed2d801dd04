/** What a key does. */
export type Command = 'next' | 'previous' | 'back' | 'filter' | 'help' | 'resources' | 'gpus' | 1 | 2 | 3 | 4 | 5;

/** A key, and where it was pressed. */
export interface Press {
  readonly key: string;
  /** With Ctrl, Alt or the Command key: that is for the browser. */
  readonly isModified: boolean;
  /** In a field that takes text, or in a list of choices. */
  readonly isTyping: boolean;
  /** Whether keys of one character are switched on. */
  readonly isOn: boolean;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['j', 'next'],
  ['k', 'previous'],
  ['/', 'filter'],
  ['?', 'help'],
  ['r', 'resources'],
  ['g', 'gpus'],
  ...([1, 2, 3, 4, 5] as const).map((tab) => [String(tab), tab] as const),
]);

const ARROWS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['ArrowDown', 'next'],
  ['ArrowUp', 'previous'],
]);

/** What a key does; undefined where it is for the browser. */
export function commandOf({ key, isModified, isTyping, isOn }: Press): Command | undefined {
  if (isModified) return undefined;
  if (key === 'Escape') return 'back';
  if (isTyping) return undefined;
  return ARROWS.get(key) ?? (isOn ? COMMANDS.get(key) : undefined);
}

/** The keys, for those who ask. */
export const HELP: readonly (readonly [keys: readonly string[], words: string])[] = [
  [['j', '↓'], 'the next resource'],
  [['k', '↑'], 'the one before'],
  [['Enter'], 'open it'],
  [['Esc'], 'back to the list, or out of a field'],
  [['/'], 'filter'],
  [['1', '…', '5'], 'the parts of a resource'],
  [['r'], 'all resources'],
  [['g'], 'GPUs'],
  [['?'], 'these keys'],
];
