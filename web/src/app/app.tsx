import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import styles from './app.module.css';
import { Footer } from '../components/chrome/footer.tsx';
import { TopBar } from '../components/chrome/top-bar.tsx';
import { ErrorBoundary, PageBoundary } from '../components/error-boundary.tsx';
import { PageFrame } from '../components/page-frame.tsx';
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
                      <PageFrame key={path} page={page}>
                        <Component />
                      </PageFrame>
                    }
                  />
                ))}
                <Route
                  path="*"
                  element={
                    <PageFrame page={notFound.page}>
                      <notFound.Component />
                    </PageFrame>
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
