import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright';
import { freePort } from '../../infra/local/base/loopback.ts';
import { browserArguments } from '../fixtures/browser/browser.ts';
import buildOnce from '../fixtures/browser/build-once.ts';

/**
 * Builds the site in a temporary folder, which is TMPDIR from then on and goes with `ends`. A packaged
 * browser unpacks itself into TMPDIR, so find it first. Returns the folder of the site’s files.
 */
export async function builtSite(ends: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'selfsame-bench-'));
  process.env['TMPDIR'] = folder;
  ends.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await buildOnce();
  const { dist } = JSON.parse(process.env['SELFSAME_BUILT'] ?? 'null') as { dist: string };
  return dist;
}

/** A browser that Lighthouse drives at `port`. Close it before servers, which its connections keep open. */
export async function browserOfLighthouse(
  executablePath: string,
): Promise<{ port: number; browser: Browser }> {
  const port = await freePort('127.0.0.1');
  const browser = await chromium.launch({
    executablePath,
    args: [...browserArguments, `--remote-debugging-port=${port}`, '--ignore-certificate-errors'],
  });
  return { port, browser };
}
