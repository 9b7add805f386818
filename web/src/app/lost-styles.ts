/** Stylesheets that couldn't be loaded. Vite asks for each once, and would open a page without them. */
const lost = new Set<HTMLLinkElement>();

// Failures of loading don't bubble.
export const keepLostStyles = (): void => addEventListener('error', keep, true);

function keep({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  target.remove();
  lost.add(target);
}

/** Loads the stylesheets that are missing. Rejects if one still can't be loaded. */
export const loadLostStyles = (): Promise<unknown> =>
  Promise.all(
    [...lost].map((link) => {
      lost.delete(link);
      return new Promise((resolve, reject) => {
        const again = link.cloneNode() as HTMLLinkElement;
        again.addEventListener('load', resolve);
        again.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)));
        document.head.append(again);
      });
    }),
  );
