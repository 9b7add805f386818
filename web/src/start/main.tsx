import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from '../app/app.tsx';
import { isShell } from '../app/page.ts';
import { prefetchPages } from './prefetch.ts';
import { routeAt } from '../app/routes.tsx';
import { followSession } from '../session/follow-session.ts';
import '../styles/tokens.css';
import '../styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element to render into.');

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
// Without what draws the page the first render could not come to the HTML that is there. Not awaited at the top: a page's
// script imports this one, and would wait for it.
void Promise.resolve(isShell(route.page) ? undefined : loading).then(() => {
  // The page for unknown addresses is written for none of them, and the development server writes none at all.
  const isWritten = root.dataset['path'] === location.pathname;
  // A transition is done in slices, between which the page still answers.
  if (isWritten) startTransition(() => void hydrateRoot(root, site));
  else createRoot(root).render(site);
  prefetchPages();
});
