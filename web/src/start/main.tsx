import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from '../app/app.tsx';
import { isShell } from '../app/page.ts';
import { prefetchPages } from './prefetch.ts';
import { errorOptions, reportErrorsOutsideReact } from './report-page-error.ts';
import { routeAt } from '../app/routes.tsx';
import { followSession } from '../session/follow-session.ts';
import '../styles/tokens.css';
import '../styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element to render into.');

reportErrorsOutsideReact();
followSession();

const site = (
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </StrictMode>
);

const route = routeAt(location.pathname);
const loading = route.load().catch(() => {});
// The first render must match the prerendered HTML, so it waits for the page's code. Not with a top-level
// await: the page's code imports this module, and would wait for it in turn.
void Promise.resolve(isShell(route.page) ? undefined : loading).then(() => {
  // The page for unknown addresses is rendered for no path, and the development server renders no HTML at
  // all.
  const isPrerendered = root.dataset['path'] === location.pathname;
  // In a transition React hydrates in slices, and the page answers in between.
  if (isPrerendered) startTransition(() => void hydrateRoot(root, site, errorOptions));
  else createRoot(root, errorOptions).render(site);
  prefetchPages();
});
