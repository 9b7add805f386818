import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { isShell, type RenderedSite } from '../pages/page.ts';
import { described } from '../pages/page-descriptions.ts';
import { routeAt } from './routes.tsx';

/** The module that the build imports to render every page. */
export const site: RenderedSite = {
  ...described,
  render: async (path) => {
    const route = routeAt(path);
    // `renderToString` doesn't wait for lazy components.
    await (isShell(route.page) ? route.loadWaiting() : route.load());
    return renderToString(
      <StrictMode>
        <StaticRouter location={path}>
          <App />
        </StaticRouter>
      </StrictMode>,
    );
  },
};
