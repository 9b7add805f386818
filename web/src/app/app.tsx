import { Route, Routes } from 'react-router-dom';
import styles from './app.module.css';
import { Footer } from '../components/chrome/footer.tsx';
import { TopBar } from '../components/chrome/top-bar.tsx';
import { ErrorBoundary, PageBoundary } from '../components/error-boundary.tsx';
import { PageGuard } from '../components/page/page-guard.tsx';
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
        </main>
        <Footer />
      </div>
    </ErrorBoundary>
  );
}
