import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { once } from '../session/within.ts';

// Milliseconds.
const LIMIT = 10_000;

/** The error for a missing answer, with Amplify's name for it: browsers word it differently. */
export class NetworkError extends Error {
  override name = 'NetworkError';
}

/** The settings of the stack that serves the site. Rejects if they can't be loaded; call again to retry. */
export const siteConfig = once(async (): Promise<SiteConfig> => {
  // Sent without headers: the head script has preloaded the file, and browsers compare the requests.
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(LIMIT) }).catch(
    (cause: unknown) => {
      throw new NetworkError('config.json could not be fetched.', { cause });
    },
  );
  if (!response.ok) throw new Error(`config.json answered ${response.status}.`);
  return SiteConfig.parse(await response.json());
});
