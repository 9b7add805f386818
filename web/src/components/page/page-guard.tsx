import { lazy, type ReactNode, useEffect } from 'react';
import { Navigate, NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { replayEarlyClick } from './early-click.ts';
import { useHydrated } from '../../navigation/hydrated.ts';
import { isShell, type Page } from '../../pages/page.ts';
import { inAppPath, stateIn } from '../../navigation/from-path.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { useSession } from '../../session/session.ts';
import { SomethingWentWrong } from '../error-boundary.tsx';

// Few users see this notice, and every page loads this module.
const LinkedAccount = lazy(async () => ({
  default: (await import('../account/linked-account.tsx')).LinkedAccount,
}));

interface PageGuardProps {
  page: Omit<Page, 'path'>;
  /** Shown in the page's place while the session loads. */
  waiting: ReactNode;
  children: ReactNode;
}

/** Wraps every page: checks access, sets the title, and moves scroll position and focus to the start. */
export function PageGuard({ page, waiting, children }: PageGuardProps) {
  return (
    <Guard page={page} waiting={waiting}>
      <StartOfPage title={page.title} />
      {children}
    </Guard>
  );
}

function Guard({ page, waiting, children }: PageGuardProps) {
  const session = useSession();
  const location = useLocation();
  const cameFrom = useCameFrom();
  const hydrated = useHydrated();
  if (isShell(page) && !hydrated) return waiting;
  if (page.access === 'public') return children;
  if (session.kind === 'loading' && session.linked) return <LinkedAccount provider={session.linked} />;
  if (session.kind === 'unreachable') return <SomethingWentWrong />;
  if (page.access === 'visitor') {
    if (session.kind === 'signed-in')
      return <Navigate to={inAppPath(cameFrom.from)} state={stateIn(cameFrom.from)} replace />;
    // The built HTML has both, and the document's `data-session` shows one of them.
    return (
      <>
        {(session.kind === 'signed-out' || !hydrated) && <div data-for="visitor">{children}</div>}
        {(session.kind === 'loading' || !hydrated) && <div data-for="holder">{waiting}</div>}
      </>
    );
  }
  if (session.kind === 'loading') return waiting;
  if (session.kind === 'signed-in') return children;
  // The history entry also has what the user has typed.
  const typed = (history.state as { usr?: unknown } | null)?.usr;
  return <Navigate to="/login" state={{ from: { ...location, state: typed } }} replace />;
}

/** Scrolls to a page's start and focuses its heading after a navigation, but not on the first page. */
function StartOfPage({ title }: { title: string }) {
  const { key, hash } = useLocation();
  const navigation = useNavigationType();
  // The click is replayed here, because React would drop it before the page inside its boundary is hydrated.
  // The replay waits until the page has rendered with what the built HTML lacks: the query, and the text that
  // was typed before hydration. React renders them in a microtask that begins after this effect.
  useEffect(() => {
    queueMicrotask(() => queueMicrotask(replayEarlyClick));
  }, []);
  useEffect(() => {
    document.title = title;
    const named = hash ? document.getElementById(hash.slice(1)) : null;
    // A hidden element can be neither scrolled to nor focused.
    const target = named?.getClientRects().length ? named : null;
    target?.scrollIntoView();
    // 'default' is the router's key for the document's first history entry.
    if (key === 'default') return;
    // On the way back, the browser restores the scroll position itself.
    if (!target && navigation !== NavigationType.Pop) window.scrollTo(0, 0);
    // After a reload, the user may be in a field already.
    if (document.activeElement?.matches('main input')) return;
    const start = target ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
    start?.setAttribute('tabindex', '-1');
    start?.focus({ preventScroll: true });
  }, [key, hash, title, navigation]);
  return null;
}
