import { SiteConfig } from '../../../schemas/site-config.ts';

let loading: Promise<SiteConfig> | undefined;

/**
 * The settings of the stack that serves the site. Rejects if they can't be loaded; the next call tries
 * again.
 */
export function siteConfig(): Promise<SiteConfig> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<SiteConfig> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`config.json answered ${response.status}.`);
  return SiteConfig.parse(await response.json());
}
