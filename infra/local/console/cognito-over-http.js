// Amplify always writes https:// before the name of a pool's hosted domain. The local Cognito speaks plain
// HTTP. The console fills in the constant below.
(() => {
  const ORIGIN = '{{origin}}';
  const { host } = new URL(ORIGIN);
  /** The same address over HTTP, if it is the local Cognito's. Undefined for other addresses. */
  const overHttp = (address) => {
    const url = URL.parse(address, location.href);
    return url?.protocol === 'https:' && url.host === host
      ? `${ORIGIN}${url.pathname}${url.search}${url.hash}`
      : undefined;
  };

  // Amplify warns on each page that the pool's endpoint is not AWS's, which is intended here.
  window.LOG_LEVEL = 'ERROR';

  const fetchAsGiven = window.fetch.bind(window);
  window.fetch = (input, init) => {
    // Amplify passes addresses. The body of a Request is a stream, which can't be sent over plain HTTP.
    const moved = input instanceof Request ? undefined : overHttp(input);
    return fetchAsGiven(moved ?? input, init);
  };

  // Only the Navigation API reports changes to `location`. In a browser without it, sign-in with Google and
  // GitHub doesn't work here.
  window.navigation?.addEventListener('navigate', (event) => {
    const moved = overHttp(event.destination.url);
    if (moved === undefined || !event.cancelable) return;
    event.preventDefault();
    location.assign(moved);
  });
})();
