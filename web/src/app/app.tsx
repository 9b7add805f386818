import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import styles from './app.module.css';
import { Footer } from '../components/chrome/footer.tsx';
import { TopBar } from '../components/chrome/top-bar.tsx';
import { ErrorBoundary, PageBoundary } from '../components/error-boundary.tsx';
import { PageGuard } from '../components/page/page-guard.tsx';
import { Spinner } from '../components/spinner.tsx';
import { notFound, routes } from './routes.tsx';

export function App() {
  return (
    <ErrorBoundary shown>
      <div className={styles.App}>
        <a className={styles.SkipLink} href="#main">
          Skip to content
        </a>
        <TopBar />
        <main id="main" className={styles.Main} tabIndex={-1}>
          <PageBoundary>
            <Suspense fallback={<Spinner />}>
              <Routes>
                {routes.map(({ path, page, Component }) => (
                  <Route
                    key={path}
                    path={path}
                    element={
                      <PageGuard key={path} page={page}>
                        <Component />
                      </PageGuard>
                    }
                  />
                ))}
                <Route
                  path="*"
                  element={
                    <PageGuard page={notFound.page}>
                      <notFound.Component />
                    </PageGuard>
                  }
                />
              </Routes>
            </Suspense>
          </PageBoundary>
        </main>
        <Footer />
      </div>
    </ErrorBoundary>
  );
}
