import { type ReactNode, useEffect } from 'react';
import { Navigate, NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { answerEarlyPress } from '../start/early-press.ts';
import { useHydrated } from '../start/hydrated.ts';
import { isShell, type Page } from '../app/page.ts';
import { inAppPath } from '../session/from-path.ts';
import { useOrigin } from '../session/use-origin.ts';
import { useSession } from '../session/session.ts';
import { SomethingWentWrong } from './error-boundary.tsx';
import { Spinner } from './spinner.tsx';

/** Around every page: who may see it, its title, and where reading starts. */
export function PageFrame({ page, children }: { page: Omit<Page, 'path'>; children: ReactNode }) {
  return (
    <Guard page={page}>
      <Arrival title={page.title} />
      {children}
    </Guard>
  );
}

function Guard({ page, children }: { page: Omit<Page, 'path'>; children: ReactNode }) {
  const session = useSession();
  const location = useLocation();
  const origin = useOrigin();
  const hydrated = useHydrated();
  if (isShell(page) && !hydrated) return <Spinner>{page.waiting ?? 'Loading'}</Spinner>;
  if (page.access === 'public') return children;
  if (session.kind === 'loading') return <Spinner>{page.waiting ?? 'Loading'}</Spinner>;
  if (session.kind === 'unreachable') return <SomethingWentWrong />;
  const signedIn = session.kind === 'signed-in';
  if (signedIn === (page.access === 'signed-in')) return children;
  return signedIn ? (
    <Navigate to={inAppPath(origin.from)} replace />
  ) : (
    <Navigate to="/login" state={{ from: location }} replace />
  );
}

/**
 * Takes whoever opens a page to its beginning, the eyes and the focus alike. The first page of a visit keeps the
 * focus where the browser puts it.
 */
function Arrival({ title }: { title: string }) {
  const { key, hash } = useLocation();
  const navigation = useNavigationType();
  // Here, because before the page inside its boundary is hydrated React would drop the press once more.
  useEffect(answerEarlyPress, []);
  useEffect(() => {
    document.title = title;
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    // 'default' is the router's key for the entry a document was opened on.
    if (key === 'default') return;
    // On the way back the browser itself returns to where the page was.
    if (!target && navigation !== NavigationType.Pop) window.scrollTo(0, 0);
    const start = target ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
    start?.setAttribute('tabindex', '-1');
    start?.focus({ preventScroll: true });
  }, [key, hash, title, navigation]);
  return null;
}
