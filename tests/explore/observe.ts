import type { Page } from 'playwright/test';

/** Everything on a page that can be pressed or filled. */
export const CONTROLS = 'a[href], button, input, select, textarea, summary, [role="tab"], [role="slider"]';

export interface Control {
  /** Among all elements that match `CONTROLS`, in document order. */
  index: number;
  /** Role and name in short: `button "Renew Plan"`. */
  label: string;
  /** The input's type, or `link`, or the element's name. */
  kind: string;
  /** Sends a form, as Enter in one of the form's fields does. */
  isSubmit: boolean;
  /** A link to a part of the page, which takes the focus off the link: the next Tab goes on from there. */
  leadsIntoPage: boolean;
  /** A press changes nothing on the page: it opens another program or tab, or chooses what is chosen. */
  isSilent: boolean;
}

/** A page as a user sees it, and all that its browser keeps. */
export interface Observation {
  path: string;
  /** When the document was loaded: Unix time in milliseconds. */
  loadedAt: number;
  /** The page is one of the product's own. */
  isOurs: boolean;
  title: string;
  headings: string[];
  controls: Control[];
  /** Labels of the primary buttons in the window: of the open dialog, or else of the main part. */
  primary: string[];
  /** Visible texts that are announced: alerts and statuses. */
  announced: string[];
  text: string;
  /** The whole document, but for hashes that differ in each paint. */
  looks: string;
  focusIsLost: boolean;
  /** The focus is on a field whose error is shown. A browser's own message about it isn't in `looks`. */
  pointsAtError: boolean;
  /** Local and session storage, and cookies that scripts see. */
  stored: string;
  /** Sum of the layout shifts since the last observation that no input caused. */
  shifted: number;
}

/** Milliseconds in which a page is read, also on a busy machine. */
const LONGEST_READ = 20_000;

/**
 * Reads the page. Undefined if it is navigating. `site`: the product's origin. Rejects if the page doesn't
 * answer.
 */
export async function observe(page: Page, site: string): Promise<Observation | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${page.url()} doesn't answer.`)), LONGEST_READ);
  });
  const read = page
    .evaluate<Observation>(`(${READ})(${JSON.stringify(CONTROLS)}, ${JSON.stringify(site)})`)
    .catch(() => undefined);
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

const READ = `(selector, site) => {
  const visible = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getClientRects().length > 0;
  const dialog = document.querySelector('dialog:modal');
  const reachable = (element) =>
    visible(element) && !element.closest('[inert]') && (!dialog || dialog.contains(element));
  const nameOf = (element) =>
    (element.getAttribute('aria-label') ?? (element.labels?.[0]?.innerText || element.innerText || element.name || ''))
      .trim().replaceAll(/\\s+/g, ' ').slice(0, 60);
  const role = (element) => element.getAttribute('role') ?? (element.localName === 'a' ? 'link' : element.localName);
  const controls = [...document.querySelectorAll(selector)].flatMap((element, index) => {
    if (!reachable(element) || element.disabled || element.getAttribute('aria-disabled') === 'true') return [];
    return [{
      index,
      label: role(element) + ' "' + nameOf(element) + '"',
      kind: element.localName === 'input' ? element.type : role(element),
      leadsIntoPage: element.localName === 'a' && element.hash !== '' && element.pathname === location.pathname,
      isSubmit: element.type === 'submit' && !!element.form,
      isSilent: element.ariaPressed === 'true' || element.ariaSelected === 'true' || element.checked === true ||
        (element.localName === 'a' && (!/^https?:$/.test(element.protocol) || element.target === '_blank' || element.hasAttribute('download') ||
          element.pathname.endsWith('.dmg'))),
    }];
  });
  const scope = dialog ?? document.querySelector('main');
  const texts = (list) => [...list].filter(visible).map((element) => element.innerText.trim()).filter(Boolean);
  const stores = ['localStorage', 'sessionStorage'].map((name) => {
    try { return JSON.stringify(globalThis[name]); } catch { return ''; }
  });
  const { activeElement } = document;
  return {
    path: location.pathname + location.search + location.hash,
    loadedAt: performance.timeOrigin,
    isOurs: location.origin === site && !!document.querySelector('main'),
    title: document.title,
    headings: texts(document.querySelectorAll('h1')),
    controls,
    primary: texts([...(scope?.querySelectorAll('[data-tone="primary"]') ?? [])].filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })),
    announced: texts(document.querySelectorAll('[role="alert"], [role="status"], output, [aria-live]')),
    text: document.body.innerText,
    looks: document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map((input) => input.value + input.checked) +
      scrollY + (activeElement ? [...document.querySelectorAll('*')].indexOf(activeElement) : ''),
    focusIsLost: !activeElement || activeElement === document.body,
    pointsAtError: activeElement?.matches(':invalid, [aria-invalid="true"]') === true,
    stored: stores.join(' ') + document.cookie,
    shifted: typeof globalThis.takeLayoutShifts === 'function'
      ? globalThis.takeLayoutShifts().reduce((sum, { value }) => sum + value, 0) : 0,
  };
}`;
