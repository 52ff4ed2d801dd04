import { useEffect, useRef } from 'preact/hooks';
import { HELP } from '../model/keys.ts';

/** The keys. Those of one character can be switched off, for those who speak to their machine or press keys by chance. */
export function KeysHelp({
  isOpen,
  isOn,
  onClose,
  onSwitch,
}: {
  readonly isOpen: boolean;
  readonly isOn: boolean;
  readonly onClose: () => void;
  readonly onSwitch: (isOn: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby="keys" onClose={onClose}>
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {HELP.map(([keys, words]) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onSwitch(currentTarget.checked)} /> Keys
        of one character are on
      </label>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
