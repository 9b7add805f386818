/** A new user, as entered on the provider's page. */
export interface NewUser {
  name: string;
  email: string;
  /** @default true */
  verified?: boolean;
}

// Ends redirect loops. No sign-in has this many redirects.
const MAX_STEPS = 20;

/** A client that keeps cookies and follows redirects. */
export function cookieClient() {
  const jars = new Map<string, Map<string, string>>();
  /** Every requested address, in order. */
  const visited: string[] = [];

  const jarOf = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  const get = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const jar = jarOf(new URL(address).origin);
    visited.push(address);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { ...init, redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };

  return {
    get,
    /** The cookies of an origin, by name. */
    jarOf,
    visited,
    /** Follows redirects and forms from `address`, enters `user` at a provider's page, stops at `until`. */
    arrive: async (address: string, user: NewUser, until: string): Promise<URL> => {
      let response = await get(address);
      let at = address;
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const location = response.headers.get('location');
        if (location !== null) {
          at = new URL(location, at).href;
          if (at.startsWith(until)) return new URL(at);
          response = await get(at);
          continue;
        }
        const page = await response.text();
        const answer = answerFormIn(page);
        if (answer) {
          at = answer.action;
          response = await get(at, { method: 'POST', body: answer.fields });
          continue;
        }
        if (!response.ok || !page.includes('name="verified"')) throw new Error(`Stranded at ${at}:\n${page}`);
        const { name, email, verified = true } = user;
        const body = new URLSearchParams({ name, email, ...(verified && { verified: 'on' }) });
        response = await get(at, { method: 'POST', body });
      }
      throw new Error(`${address} leads nowhere.`);
    },
  };
}

/** The form with which a provider answers, and which a browser sends at once. */
function answerFormIn(page: string): { action: string; fields: URLSearchParams } | undefined {
  const [, action] = /<form method="post" action="(http[^"]+)"/.exec(page) ?? [];
  if (action === undefined) return undefined;
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ],
  );
  return { action, fields: new URLSearchParams(fields) };
}
