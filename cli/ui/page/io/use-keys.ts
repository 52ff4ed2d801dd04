import { useEffect, useRef, useState } from 'preact/hooks';
import { type Command, commandOf } from '../model/keys.ts';

const SETTING = 'keys';

/** Whether keys of one character do something, and how to switch that. It outlasts the page. */
export function useKeySetting(): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(SETTING) !== 'off');
  const change = (next: boolean): void => {
    localStorage.setItem(SETTING, next ? 'on' : 'off');
    setOn(next);
  };
  return [isOn, change];
}

/**
 * Hears keys.
 *
 * @param run - does what a key says, and tells whether there was something to do
 */
export function useKeys(isOn: boolean, run: (command: Command, field: HTMLElement | undefined) => boolean): void {
  const latest = useRef({ isOn, run });
  latest.current = { isOn, run };
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const { key, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
      // The dialog of the keys has its own way to close.
      if (defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const field = fieldOf(target);
      const isModified = ctrlKey || altKey || metaKey;
      const command = commandOf({ key, isModified, isTyping: field !== undefined, isOn: latest.current.isOn });
      if (command !== undefined && latest.current.run(command, field)) event.preventDefault();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}

/** The field that somebody types into, or chooses in. */
const fieldOf = (target: EventTarget | null): HTMLElement | undefined =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select') ? target : undefined;
