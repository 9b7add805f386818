import type { BrowserContext, Request } from 'playwright';

export interface ScriptBytes {
  /** Until the page's application has started, so that its forms and buttons work. */
  untilUsable: number;
  /** With what is loaded once the user has touched the first field or button. */
  inAll: number;
}

/** Bytes of script that a page loads, compressed, without headers. */
export async function scriptBytes(context: BrowserContext, address: string): Promise<ScriptBytes> {
  const page = await context.newPage();
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request);
  });
  const session = await context.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.goto(address);
  await page.waitForFunction(`!('earlyClick' in globalThis)`);
  const untilUsable = [...scripts];
  await page.locator('main').locator('input, button, a').first().focus();
  await page.waitForLoadState('networkidle');
  const sum = async (requests: readonly Request[]) => {
    const sizes = await Promise.all(requests.map((request) => request.sizes()));
    return sizes.reduce((total, { responseBodySize }) => total + responseBodySize, 0);
  };
  const bytes = { untilUsable: await sum(untilUsable), inAll: await sum(scripts) };
  await page.close();
  return bytes;
}
