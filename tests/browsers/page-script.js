// Stands first in the head of every page that the smoke test opens, and is sent along with each command for
// frames of other origins, which don't have it. `smoke` finds elements as a user does, and keeps the page's
// errors: WebKitWebDriver has no command for them.
globalThis.smoke ??= (() => {
  const errors = [];
  const keep = (...parts) => errors.push(parts.map(String).join(' '));
  const level = { error: console.error, warn: console.warn };
  for (const [name, print] of Object.entries(level)) {
    console[name] = (...parts) => {
      keep(...parts);
      print.apply(console, parts);
    };
  }
  // Captured: the failure of a script, a style or a picture to load doesn't bubble.
  addEventListener(
    'error',
    ({ message, target }) => keep(message ?? `${target.src ?? target.href} did not load`),
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => keep('Unhandled rejection:', reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    keep(`The content security policy's ${violatedDirective} blocked ${blockedURI}`),
  );

  const elements = {
    button: 'button',
    heading: 'h1',
    link: 'a[href]',
  };
  const textOf = (element) => element.textContent.replaceAll(/\s+/g, ' ').trim();
  const isVisible = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
  const nameOf = (element) => element.getAttribute('aria-label') ?? textOf(element);
  /** The first visible element of this role and name that isn't disabled. */
  const find = (role, name) => {
    // While a dialog is open, the rest can't be used.
    const root = document.querySelector('dialog[open]') ?? document;
    return [...root.querySelectorAll(elements[role])].find(
      (element) => nameOf(element) === name && isVisible(element) && !element.disabled,
    );
  };
  /** The visible field whose label has this text. */
  const field = (label) =>
    [...document.querySelectorAll('input')].find(
      (input) => [...(input.labels ?? [])].some((element) => textOf(element) === label) && isVisible(input),
    );
  const frame = (title) => [...document.querySelectorAll('iframe')].find((each) => each.title === title);
  const heading = () => [...document.querySelectorAll('h1')].filter(isVisible).map(textOf).join(', ');
  /** How many pixels are out of the window's sight sideways. */
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  /**
   * Whether the application runs: it shows a heading, and has deleted the record of earlier clicks. Firefox
   * logs an error where a page is left that still loads a font.
   */
  const hasStarted = () =>
    document.readyState === 'complete' &&
    !('earlyClick' in globalThis) &&
    heading() !== '' &&
    document.fonts.status === 'loaded';
  const describe = () =>
    [location.pathname, heading(), ...[...document.querySelectorAll('[role=alert]')].map(textOf)].join(', ');
  return { describe, errors, field, find, frame, hasStarted, heading, overflow };
})();
