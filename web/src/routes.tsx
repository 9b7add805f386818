import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { notFound as notFoundPage, type Page, pages } from './pages.ts';

interface PageRoute {
  page: Omit<Page, 'path'>;
  Component: LazyExoticComponent<ComponentType>;
}

const modules = import.meta.glob<{ default: ComponentType }>('./routes/*/*-page.tsx');

function routeOf(page: Omit<Page, 'path'>): PageRoute {
  const load = modules[`./routes/${page.module}`];
  if (!load) throw new Error(`There is no src/routes/${page.module}.`);
  return { page, Component: lazy(load) };
}

/** Every page with the script that draws it, which loads when somebody goes there. */
export const routes = pages.map((page) => ({ path: page.path, ...routeOf(page) }));
export const notFound = routeOf(notFoundPage);
