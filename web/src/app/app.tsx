import { Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import styles from './app.module.css';
import { Footer } from '../components/chrome/footer.tsx';
import { TopBar } from '../components/chrome/top-bar.tsx';
import { ErrorBoundary, PageBoundary } from '../components/error-boundary.tsx';
import { PageGuard } from '../components/page/page-guard.tsx';
import { notFound, routeAt, routes } from './routes.tsx';

/**
 * A single boundary for all pages: after a press on a link, React keeps the page that is there until the next
 * page's code has loaded. The fallback shows only where there was no page.
 */
export function App() {
  const shown = routeAt(useLocation().pathname);
  return (
    <ErrorBoundary shown>
      <div className={styles.App}>
        <a className={styles.SkipLink} href="#main">
          Skip to content
        </a>
        <TopBar />
        <main id="main" className={styles.Main} tabIndex={-1}>
          <Suspense fallback={<shown.Waiting />}>
            <PageBoundary>
              <Routes>
                {routes.map(({ path, page, Component, Waiting }) => (
                  <Route
                    key={path}
                    path={path}
                    element={
                      <PageGuard key={path} page={page} waiting={<Waiting />}>
                        <Component />
                      </PageGuard>
                    }
                  />
                ))}
                <Route
                  path="*"
                  element={
                    <PageGuard page={notFound.page} waiting={<notFound.Waiting />}>
                      <notFound.Component />
                    </PageGuard>
                  }
                />
              </Routes>
            </PageBoundary>
          </Suspense>
        </main>
        <Footer />
      </div>
    </ErrorBoundary>
  );
}
