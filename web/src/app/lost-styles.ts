/** The links of stylesheets that couldn't be loaded. */
const lost = new Set<HTMLLinkElement>();

// Failures of loading don't bubble.
export const keepLostStyles = (): void => addEventListener('error', keep, true);

function keep({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lost.add(target);
}

/**
 * Imports code with its stylesheets at every attempt. Vite asks for each stylesheet once, and would open a
 * page without the lost ones, or without those that an attempt under way waits for.
 */
export function withStyles<Code>(importCode: () => Promise<Code>): () => Promise<Code> {
  let isIncomplete = false;
  let running: Promise<Code> | undefined;
  const attempt = async () => {
    // Stylesheets of other pages alone don't keep this page from opening.
    const styles = isIncomplete ? [...lost].map(load) : [];
    const code = importCode().catch((error: unknown) => {
      isIncomplete = true;
      throw error;
    });
    return (await Promise.all([code, ...styles]))[0];
  };
  return () => (running ??= attempt().finally(() => (running = undefined)));
}

function load(link: HTMLLinkElement): Promise<unknown> {
  return new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)));
    // A link that is inserted again is requested again.
    document.head.append(link);
  }).then(() => lost.delete(link));
}
