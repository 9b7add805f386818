import { type ComponentType, lazy, Suspense, useState } from 'react';
import { matchPath } from 'react-router-dom';
import { Spinner } from '../components/spinner.tsx';
import type { Page } from '../pages/page.ts';
import { loadLostStyles } from './lost-styles.ts';
import { notFound as notFoundPage, pages, unknownArticle } from '../pages/pages.ts';

export interface PageRoute {
  page: Omit<Page, 'path'>;
  /** Loads the page's code and data. Afterward the page renders without suspending. */
  load: () => Promise<unknown>;
  Component: ComponentType;
  /** Loads the code of `Waiting`. Until then, `Waiting` is a spinner. */
  loadWaiting: () => Promise<unknown>;
  /** Shown in the page's place while its code or the session loads. */
  Waiting: ComponentType;
}

interface PageModule {
  default: ComponentType;
  /** Loads data that the page at an address needs beside its code. */
  prepare?: (path: string) => Promise<void>;
}

const modules = import.meta.glob<PageModule>('../routes/*/*-page.tsx');
const waitingModules = import.meta.glob<{ default: ComponentType }>('../routes/*/*-waiting.tsx');

function routeOf(page: Omit<Page, 'path'>, path = ''): PageRoute {
  const importPage = modules[`../routes/${page.module}`];
  if (!importPage) throw new Error(`There is no src/routes/${page.module}.`);
  let loaded: ComponentType | undefined;
  const { loadWaiting, Waiting } = waitingOf(page);
  const loadNow = async () => {
    const [module] = await Promise.all([importPage(), loadWaiting(), loadLostStyles()]);
    await module.prepare?.(path);
    loaded = module.default;
    return module;
  };
  let loading: Promise<PageModule> | undefined;
  // A touch, a press and the page ask for it at nearly the same time. Vite would make only the first wait for
  // the stylesheets.
  const load = () => (loading ??= loadNow().finally(() => (loading = undefined)));
  const Lazy = lazy(load);
  // The choice stays as long as the page shows: another component would remount it.
  const Component = () => {
    const [Shown] = useState<ComponentType>(() => loaded ?? Lazy);
    return <Shown />;
  };
  return { page, load, Component, loadWaiting, Waiting };
}

function waitingOf({ waiting }: Omit<Page, 'path'>): Pick<PageRoute, 'loadWaiting' | 'Waiting'> {
  if (waiting === undefined) return { loadWaiting: () => Promise.resolve(), Waiting: Spinner };
  const importWaiting = waitingModules[`../routes/${waiting}`];
  if (!importWaiting) throw new Error(`There is no src/routes/${waiting}.`);
  let loaded: ComponentType | undefined;
  const loadWaiting = async () => {
    loaded = (await importWaiting()).default;
    return { default: loaded };
  };
  // The page reports a failure.
  const Lazy = lazy(() => loadWaiting().catch(() => ({ default: Spinner })));
  const Waiting = () => {
    const [Shown] = useState<ComponentType | undefined>(() => loaded);
    if (Shown) return <Shown />;
    // A click on a link can come before the code has loaded.
    return (
      <Suspense fallback={<Spinner />}>
        <Lazy />
      </Suspense>
    );
  };
  return { loadWaiting, Waiting };
}

/** Every page with its component, whose code loads on navigation or prefetch. */
export const routes = [...pages, unknownArticle].map((page) => ({
  path: page.path,
  ...routeOf(page, page.path),
}));
export const notFound = routeOf(notFoundPage);

export const routeAt = (pathname: string): PageRoute =>
  routes.find(({ path }) => matchPath(path, pathname)) ?? notFound;
