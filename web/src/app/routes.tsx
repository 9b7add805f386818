import { type ComponentType, lazy, Suspense, useState } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { Spinner } from '../components/spinner.tsx';
import type { Page } from '../pages/page.ts';
import { showLoading } from './loading-bar.ts';
import { withStyles } from './lost-styles.ts';
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
  const importModule = modules[`../routes/${page.module}`];
  if (!importModule) throw new Error(`There is no src/routes/${page.module}.`);
  const importPage = withStyles(importModule);
  let loaded: ComponentType | undefined;
  const { loadWaiting, Waiting } = waitingOf(page);
  const load = async () => {
    const [module] = await Promise.all([importPage(), loadWaiting()]);
    await module.prepare?.(path);
    loaded = module.default;
    return module;
  };
  // Each visit has an attempt of its own: `lazy` keeps a failure.
  const lazyAt: Record<string, ComponentType> = {};
  // The choice stays as long as the page shows: another component would remount it.
  const Component = () => {
    const { key } = useLocation();
    const [Shown] = useState<ComponentType>(
      () => loaded ?? (lazyAt[key] ??= lazy(() => showLoading(load()))),
    );
    return <Shown />;
  };
  return { page, load, Component, loadWaiting, Waiting };
}

function waitingOf({ waiting }: Omit<Page, 'path'>): Pick<PageRoute, 'loadWaiting' | 'Waiting'> {
  if (waiting === undefined) return { loadWaiting: () => Promise.resolve(), Waiting: Spinner };
  const importModule = waitingModules[`../routes/${waiting}`];
  if (!importModule) throw new Error(`There is no src/routes/${waiting}.`);
  const importWaiting = withStyles(importModule);
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
