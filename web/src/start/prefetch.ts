import { isShell } from '../app/page.ts';
import { type PageRoute, routeAt } from '../app/routes.tsx';

/**
 * Has the next page's script here before the click: for a link that somebody points at, tabs to or touches, and, once they
 * scroll, for those they see when they stop. What is only seen never brings account code.
 */
export function prefetchPages(): void {
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    addEventListener(type, ({ target }) => prefetch(target instanceof Element ? target.closest('a') : null), {
      passive: true,
    });
  }
  addEventListener('scrollend', () => {
    for (const link of document.links) {
      if (isInSight(link)) prefetch(link, ({ page }) => !isShell(page));
    }
  });
}

function prefetch(link: Element | null, wanted: (route: PageRoute) => boolean = () => true): void {
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
  const route = routeAt(link.pathname);
  // Whoever clicks is told when it doesn't load; now nobody has asked.
  if (wanted(route)) route.load().catch(() => {});
}

function isInSight(link: Element): boolean {
  const { top, bottom, width } = link.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
}
