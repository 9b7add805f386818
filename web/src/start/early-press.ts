/** Stops recording and gives the last click or submit before hydration. */
export type EarlyPress = () => Event | undefined;

declare global {
  interface Window {
    earlyPress?: EarlyPress;
  }
}

/** Records the last click or submit that only the script can handle. The browser itself follows links. */
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

/** Repeats the recorded click or submit after hydration. */
export function answerEarlyPress(): void {
  const event = window.earlyPress?.();
  delete window.earlyPress;
  const target = event?.target;
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
    target.requestSubmit(event.submitter);
  } else if (target instanceof Element) {
    // The browser has run the default action of the first click already, for example a download.
    addEventListener('click', (again) => again.preventDefault(), { once: true });
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  }
}
