/*
 * Runs in the head of every built page, before the first paint. Marks <html> for the styles: whether the
 * browser has a session and allows storage, whether the address has a query or a
 * fragment, and that the page is opening.
 * Imports the application when the browser is idle after the first paint, or at the first user input. The
 * script's text is the same in every build, and attributes hold what differs: the content security policy
 * allows the script by its hash, and a cached page runs under the policy of the next deployment.
 */
import { recordEarlyClicks } from '../components/page/early-click.ts';
import { persistentStorage, rememberedUser } from '../session/browser-storage.ts';

const USER_INPUTS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];

const {
  application = '',
  parts = '',
  visitorParts = parts,
  styles = '',
  now,
} = document.currentScript?.dataset ?? {};
const words = (text: string): string[] => text.split(' ').filter(Boolean);
const root = document.documentElement;
const isHolder = rememberedUser() !== null;

if (isHolder) root.dataset['session'] = 'holder';
if (!persistentStorage()) root.dataset['storage'] = 'forbidden';

window.earlyClick = recordEarlyClicks();

// A browser that jumps to a place within the page needs the heights of everything above.
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (location.search) root.dataset['query'] = '';
if (location.hash) root.dataset['fragment'] = '';
else if (navigation?.type === 'navigate') root.dataset['opening'] = '';

/** Lays out the parts below the first screen, one part per frame, so that no task is long. */
function finishOpening(): void {
  const part = document.querySelector<HTMLElement>('[data-below-fold]');
  if (!part) return void delete root.dataset['opening'];
  delete part.dataset['belowFold'];
  requestAnimationFrame(finishOpening);
}

function addLink(attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), attributes));
}

function importApplication(): void {
  // Vite's loader treats a style sheet as loaded if the page has a link to it. The rules are already in the
  // page, and browsers fetch a disabled link only if it is part of the HTML.
  for (const href of words(styles)) {
    addLink({ rel: 'stylesheet', href, disabled: true });
  }
  void import(/* @vite-ignore */ application);
}

let loading = false;
function loadApplication(event?: Event): void {
  // Chromium reports a resting mouse as a move, before the first paint.
  const rests =
    event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY;
  if (loading || rests) return;
  loading = true;
  afterParsing(finishOpening);
  for (const type of USER_INPUTS) removeEventListener(type, loadApplication);
  for (const href of [application, ...words(isHolder ? parts : visitorParts)]) {
    addLink({ rel: 'modulepreload', href });
  }
  // First step of the session.
  if (isHolder) addLink({ rel: 'preload', as: 'fetch', crossOrigin: '', href: '/config.json' });
  // A cached script can run before the rest of a slow page has arrived, and would hydrate an incomplete page.
  afterParsing(importApplication);
}

function afterParsing(work: () => void): void {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', work);
  else work();
}

// Safari has no idle callback.
const whenIdle = () =>
  'requestIdleCallback' in window
    ? requestIdleCallback(() => loadApplication())
    : setTimeout(loadApplication, 200);

const waits = now === undefined;
for (const type of USER_INPUTS) addEventListener(type, loadApplication, { passive: true });
// Paints are observed, because an animation frame runs before its paint. `buffered` includes earlier paints.
// The largest paint may come with the last part of a slow page.
new PerformanceObserver(() => {
  if (waits) afterParsing(whenIdle);
  else loadApplication();
}).observe({ type: 'paint', buffered: true });
// Not every browser reports paints, a hidden page has none, and a busy browser is never idle.
addEventListener('load', () => setTimeout(loadApplication, waits ? 1_000 : 200));
