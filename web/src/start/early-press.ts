/** What somebody pressed before the page could answer. */
export type EarlyPress = () => Event | undefined;

declare global {
  interface Window {
    /** Ends the waiting and gives what was pressed last. */
    earlyPress?: EarlyPress;
  }
}

/** Keeps the last press that only the script can answer. Links need none: the browser follows them. */
export function holdPresses(): EarlyPress {
  let held: Event | undefined;
  const hold = (event: Event) => {
    if (event.type === 'submit') event.preventDefault();
    else if (!(event.target instanceof Element && event.target.closest('button, a[target]'))) return;
    held = event;
  };
  addEventListener('click', hold, true);
  addEventListener('submit', hold, true);
  return () => {
    removeEventListener('click', hold, true);
    removeEventListener('submit', hold, true);
    return held;
  };
}

/** Lets the page answer what was pressed before it could. */
export function answerEarlyPress(): void {
  const event = window.earlyPress?.();
  delete window.earlyPress;
  const target = event?.target;
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
    target.requestSubmit(event.submitter);
  } else if (target instanceof Element) {
    // The browser has done its part when it was pressed: a download has begun already.
    addEventListener('click', (again) => again.preventDefault(), { once: true });
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  }
}
