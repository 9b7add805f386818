/** Stops recording and returns the last click or submit before hydration. */
export type EarlyClick = () => Event | undefined;

declare global {
  interface Window {
    earlyClick?: EarlyClick;
  }
}

/**
 * Records the last click or submit that needs the script. The browser follows links on its own, but for those
 * that take something along from the address, such as the page that a sign-in leads to.
 */
export function recordEarlyClicks(): EarlyClick {
  let last: Event | undefined;
  const record = (event: Event) => {
    const closest = (selector: string) => event.target instanceof Element && event.target.closest(selector);
    if (event.type === 'submit' || (location.search && closest('[data-takes-along]'))) event.preventDefault();
    else if (!closest('button, a[target]')) return;
    last = event;
  };
  addEventListener('click', record, true);
  addEventListener('submit', record, true);
  return () => {
    removeEventListener('click', record, true);
    removeEventListener('submit', record, true);
    return last;
  };
}

/** Repeats the recorded click or submit after hydration. */
export function replayEarlyClick(): void {
  const event = window.earlyClick?.();
  delete window.earlyClick;
  const target = event?.target;
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
    target.requestSubmit(event.submitter);
  } else if (target instanceof Element) {
    // The browser has already run the default action of the first click, for example a download.
    addEventListener('click', (replayed) => replayed.preventDefault(), { once: true });
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  }
}
