/** A dialog with the keys; `?` opens it. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { KEYS, useShortcut } from './keys.tsx';

export function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = (): void => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  useShortcut('?', open);
  return (
    <>
      <button type="button" class="quiet help" onClick={open} aria-label="Keys (?)" title="Keys (?)">
        ?
      </button>
      <dialog
        ref={dialog}
        class="keys"
        aria-label="Keys"
        onClick={(e) => e.target === dialog.current && dialog.current?.close()}
      >
        <form method="dialog">
          <h2>Keys</h2>
          <table>
            <tbody>
              {KEYS.map(([keys, meaning]) => (
                <tr>
                  <th scope="row">
                    {keys.map((key, i) => (
                      <>
                        {i > 0 && ' '}
                        <kbd>{key}</kbd>
                      </>
                    ))}
                  </th>
                  <td>{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}
