import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright';
import { browserArguments } from '../fixtures/browser.ts';
import type { Found, Missing } from './engine.ts';
import { startPuppeteer } from './puppeteer.ts';
import { startWebKit } from './webkit.ts';

const chromiumArguments = [...browserArguments, '--force-prefers-reduced-motion'];

/** The version that a program prints with `--version`. Undefined if it doesn't start. */
function versionOf(program: string): string | undefined {
  try {
    const text = execFileSync(program, ['--version', '--no-sandbox'], { encoding: 'utf8', stdio: 'pipe' });
    return /\d+(?:\.\d+)+/.exec(text)?.[0];
  } catch {
    return undefined;
  }
}

/** The first program of these names on the path. */
const onPath = (...names: readonly string[]): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file));

async function packagedChromium(): Promise<Found | Missing> {
  const key = 'packaged-chromium';
  const name = 'Chromium, headless shell';
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  const executablePath = isPackaged ? await sparticuz.executablePath() : '';
  if (!isPackaged || versionOf(executablePath) === undefined) {
    return { key, missing: name, remedy: 'the npm package @sparticuz/chromium, on Linux x64 only' };
  }
  const args = chromiumArguments;
  return { key, launch: () => startPuppeteer(name, { executablePath, headless: 'shell', args }) };
}

function newestChromium(): Found | Missing {
  const key = 'chromium';
  const [newest] = [
    onPath('chromium', 'chromium-browser'),
    onPath('google-chrome', 'google-chrome-stable'),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ]
    .filter((file) => file !== undefined && existsSync(file))
    .map((file) => ({ executablePath: String(file), version: versionOf(String(file)) ?? '0' }))
    .toSorted((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  if (!newest) return { key, missing: 'Chromium', remedy: 'Debian’s package chromium' };
  const { executablePath } = newest;
  return { key, launch: () => startPuppeteer('Chromium', { executablePath, args: chromiumArguments }) };
}

function firefox(): Found | Missing {
  const key = 'firefox';
  const installed = '/Applications/Firefox.app/Contents/MacOS/firefox';
  const executablePath = onPath('firefox-esr', 'firefox') ?? (existsSync(installed) ? installed : undefined);
  if (executablePath === undefined) {
    return { key, missing: 'Firefox', remedy: 'Debian’s package firefox-esr' };
  }
  const extraPrefsFirefox = { 'ui.prefersReducedMotion': 1 };
  return {
    key,
    launch: () => startPuppeteer('Firefox', { browser: 'firefox', executablePath, extraPrefsFirefox }),
  };
}

function webKit(): Found | Missing {
  const key = 'webkit';
  if (onPath('WebKitWebDriver') === undefined || onPath('Xvfb') === undefined) {
    return { key, missing: 'WebKit', remedy: 'Debian’s packages webkit2gtk-driver and xvfb' };
  }
  return { key, launch: startWebKit };
}

/** The browsers of the smoke test, in the order in which they run. */
export async function findBrowsers(): Promise<(Found | Missing)[]> {
  return [await packagedChromium(), newestChromium(), firefox(), webKit()];
}
