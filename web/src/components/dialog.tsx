import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface DialogProps {
  open: boolean;
  /** Called for Escape and for a click beside the content, too. */
  onClose: () => void;
  /** Id of the element that names it. */
  labelledBy: string;
  className?: string | undefined;
  children: ReactNode;
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled)';

/**
 * A modal dialog. The browser makes the page behind it inert, and gives the focus back when it closes. The content
 * has to fill it to the edge: a click on the dialog itself counts as one beside it.
 */
export function Dialog({ open, onClose, labelledBy, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
    return undefined;
  }, [open]);

  return (
    // Escape is the keyboard's way to do what a click beside the content does.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      onKeyDown={keepFocus}
    >
      {open && children}
    </dialog>
  );
}

/** Tab goes round within the dialog instead of out to the browser's own controls. */
function keepFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }),
  );
  const [leaving, arriving] = event.shiftKey ? [stops.at(0), stops.at(-1)] : [stops.at(-1), stops.at(0)];
  if (
    !arriving ||
    (document.activeElement !== leaving && stops.includes(document.activeElement as HTMLElement))
  ) {
    return;
  }
  event.preventDefault();
  arriving.focus();
}
