/** How every command ends. */
export const EXIT = {
  ok: { code: 0, meaning: 'Done.' },
  failure: {
    code: 1,
    meaning: 'It could not be done, or something was found that has to be seen to; standard error says what.',
  },
  usage: { code: 2, meaning: "The command was called in a way that can't work." },
} as const;
