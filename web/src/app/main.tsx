import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { isShell } from '../pages/page.ts';
import { keepLostStyles } from './lost-styles.ts';
import { showLateFonts } from './late-fonts.ts';
import { prefetchPages } from './prefetch.ts';
import { errorOptions, reportErrorsOutsideReact } from './report-page-error.ts';
import { routeAt } from './routes.tsx';
import { watchSession } from '../account/watch-session.ts';
import { currentSession } from '../session/session.ts';
import '../styles/fonts.css';
import '../styles/tokens.css';
import '../styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element to render into.');

reportErrorsOutsideReact();
watchSession();
showLateFonts();
keepLostStyles();

const site = (
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </StrictMode>
);

// The first render must match the prerendered HTML, so it waits for the code of the shown components. A
// top-level await would not do: the page's code imports this module, and would wait for it in turn.
void Promise.allSettled(codeOfFirstRender()).then(() => {
  // The page for unknown addresses is rendered for no path, and in development no page is rendered.
  const isPrerendered = root.dataset['path'] === location.pathname;
  // In a transition, React hydrates in slices, and the page responds in between.
  if (isPrerendered) startTransition(() => void hydrateRoot(root, site, errorOptions));
  else createRoot(root, errorOptions).render(site);
  prefetchPages();
});

function codeOfFirstRender(): Promise<unknown>[] {
  const route = routeAt(location.pathname);
  // A visitor is redirected to the sign-in page, which replaces the waiting page without another wait.
  const isRedirected = route.page.access === 'signed-in' && currentSession().kind === 'signed-out';
  if (isRedirected) return [route.loadWaiting(), routeAt('/login').load()];
  const loading = route.load();
  if (!isShell(route.page)) return [loading];
  // The error boundary of the page reports a failure.
  loading.catch(() => {});
  return [route.loadWaiting()];
}
