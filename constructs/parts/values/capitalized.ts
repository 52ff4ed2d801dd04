/** A word with a capital letter. */
export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
