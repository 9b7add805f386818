import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  open: boolean;
  /** Also called for Escape and for a click outside the content. */
  onClose: () => void;
  /** Id of the element that names the dialog. */
  labelledBy: string;
  /** @default a panel in the middle of the window */
  className?: string | undefined;
  children: ReactNode;
}

const FOCUSABLE = ':is(a[href], button, input):not(:disabled)';

/**
 * A modal dialog. The browser makes the page behind the dialog inert, and returns the focus when the dialog
 * closes. The content has to fill the dialog to its edges: a click on the dialog element itself counts as a
 * click outside the content. The second click of a double click is ignored, since it was meant for the button
 * that opened the dialog.
 */
export function Dialog({ open, onClose, labelledBy, className = styles.Panel, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    if (!open) element?.close();
    else if (!element?.open) {
      const { style, clientWidth } = document.documentElement;
      style.setProperty('--scrollbar', `${innerWidth - clientWidth}px`);
      element?.showModal();
    }
  }, [open]);

  return (
    // The keyboard closes it with Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      onClickCapture={(event) => event.detail > 1 && event.stopPropagation()}
      onKeyDown={keepFocus}
    >
      {open && children}
    </dialog>
  );
}

/** Makes Tab cycle within the dialog instead of leaving it for the browser's controls. */
function keepFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) =>
    element.checkVisibility(),
  );
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (at >= 0 && stops[at + (event.shiftKey ? -1 : 1)]) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
