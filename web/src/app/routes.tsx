import { type ComponentType, lazy, useState } from 'react';
import { matchPath } from 'react-router-dom';
import type { Page } from './page.ts';
import { notFound as notFoundPage, pages, unknownArticle } from './pages.ts';

export interface PageRoute {
  page: Omit<Page, 'path'>;
  /** Fetches what draws the page. Once it has resolved, the page shows without waiting. */
  load: () => Promise<unknown>;
  Component: ComponentType;
}

interface PageModule {
  default: ComponentType;
  /** Fetches what the page at an address needs beside its script. */
  prepare?: (path: string) => Promise<void>;
}

const modules = import.meta.glob<PageModule>('../routes/*/*-page.tsx');

function routeOf(page: Omit<Page, 'path'>, path = ''): PageRoute {
  const importPage = modules[`../routes/${page.module}`];
  if (!importPage) throw new Error(`There is no src/routes/${page.module}.`);
  let loaded: ComponentType | undefined;
  const load = async () => {
    const module = await importPage();
    await module.prepare?.(path);
    loaded = module.default;
    return module;
  };
  const Awaited = lazy(load);
  // Which of the two it is doesn't change while the page shows: that would begin the page anew.
  const Component = () => {
    const [Shown] = useState<ComponentType>(() => loaded ?? Awaited);
    return <Shown />;
  };
  return { page, load, Component };
}

/** Every page with the script that draws it, which loads when somebody goes there or is about to. */
export const routes = [...pages, unknownArticle].map((page) => ({
  path: page.path,
  ...routeOf(page, page.path),
}));
export const notFound = routeOf(notFoundPage);

export const routeAt = (pathname: string): PageRoute =>
  routes.find(({ path }) => matchPath(path, pathname)) ?? notFound;
