/**
 * Stylesheets that couldn't be loaded, each with the attempt that loads it again. Vite asks for each once,
 * and would open a page without them.
 */
const lost = new Map<HTMLLinkElement, Promise<void> | undefined>();

// Failures of loading don't bubble.
export const keepLostStyles = (): void => addEventListener('error', keep, true);

function keep({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  target.remove();
  lost.set(target, undefined);
}

/** Loads the stylesheets that are missing. Rejects if one still can't be loaded. */
export const loadLostStyles = (): Promise<unknown> =>
  Promise.all([...lost].map(([link, attempt]) => attempt ?? loadAgain(link)));

function loadAgain(link: HTMLLinkElement): Promise<void> {
  const copy = link.cloneNode() as HTMLLinkElement;
  const attempt = new Promise<void>((resolve, reject) => {
    copy.addEventListener('load', () => resolve());
    // `keep` has the copy by now.
    copy.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)));
  }).finally(() => lost.delete(link));
  lost.set(link, attempt);
  document.head.append(copy);
  return attempt;
}
