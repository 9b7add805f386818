import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from '../app/app.tsx';
import { isShell, type RenderedSite } from '../app/page.ts';
import { described } from '../app/page-descriptions.ts';
import { routeAt } from '../app/routes.tsx';

/** The build imports this, and renders every page with it. */
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
