import { isShell } from '../pages/page.ts';
import { currentSession, subscribeToSession } from '../session/session.ts';
import { type PageRoute, routeAt } from './routes.tsx';

/** Loads a linked page's code before the click. A link that is only visible never loads account code. */
export function prefetchPages(): void {
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    addEventListener(type, ({ target }) => prefetch(target instanceof Element ? target.closest('a') : null), {
      passive: true,
    });
  }
  addEventListener('scrollend', () => {
    for (const link of document.links) if (isVisible(link)) prefetch(link, ({ page }) => !isShell(page));
  });
  subscribeToSession(prefetchSignIn);
  prefetchSignIn();
}

/** Signing out leads to the sign-in page, and works without a network. */
function prefetchSignIn(): void {
  if (currentSession().kind === 'signed-in') loadAhead(routeAt('/login'));
}

function prefetch(link: Element | null, wanted: (route: PageRoute) => boolean = () => true): void {
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
  const route = routeAt(link.pathname);
  if (wanted(route)) loadAhead(route);
}

/** The page reports a failure when the user opens it. */
const loadAhead = ({ load }: PageRoute): void => void load().catch(() => {});

function isVisible(link: Element): boolean {
  const { top, bottom, width } = link.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
}
