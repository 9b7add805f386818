// Amplify writes https:// before the name of a pool's hosted domain, and offers no way to say otherwise; the local Cognito
// speaks plain HTTP. Served with the constant below filled in, to pages of the local world alone.
(() => {
  const ORIGIN = '{{origin}}';
  const { host } = new URL(ORIGIN);
  /** The same address over HTTP if it is the local Cognito's; undefined for every other. */
  const overHttp = (address) => {
    const url = URL.parse(address, location.href);
    return url?.protocol === 'https:' && url.host === host
      ? `${ORIGIN}${url.pathname}${url.search}${url.hash}`
      : undefined;
  };

  const fetchAsGiven = window.fetch.bind(window);
  window.fetch = (input, init) => {
    // Amplify gives addresses. The body of a Request can't be sent on but as a stream, which plain HTTP doesn't take.
    const moved = input instanceof Request ? undefined : overHttp(input);
    return fetchAsGiven(moved ?? input, init);
  };

  // The one way to hear of a page that is left by `location`. Where a browser has no Navigation API, sign-in by others needs
  // another browser.
  window.navigation?.addEventListener('navigate', (event) => {
    const moved = overHttp(event.destination.url);
    if (moved === undefined || !event.cancelable) return;
    event.preventDefault();
    location.assign(moved);
  });
})();
