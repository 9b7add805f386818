import { existsSync } from 'node:fs';
import path from 'node:path';
import { browserArguments, installedChromiums, versionOf } from '../fixtures/browser/browser.ts';
import type { Found, Missing } from './engine.ts';
import { startPuppeteer } from './puppeteer.ts';
import { startWebKit } from './webkit.ts';

const chromiumArguments = [...browserArguments, '--force-prefers-reduced-motion'];

/** The first program of these names on the path. */
const onPath = (...names: readonly string[]): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file));

function newestChromium(): Found | Missing {
  const key = 'chromium';
  const [newest] = installedChromiums()
    // On Ubuntu a program of this name only says that there is a snap.
    .flatMap((executablePath) => {
      const version = versionOf(executablePath);
      return version === undefined ? [] : [{ executablePath, version }];
    })
    .toSorted((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  if (!newest) return { key, missing: 'Chromium', remedy: 'Debian’s package chromium' };
  const { executablePath } = newest;
  return { key, launch: () => startPuppeteer('Chromium', { executablePath, args: chromiumArguments }) };
}

function firefox(): Found | Missing {
  const key = 'firefox';
  const installed = '/Applications/Firefox.app/Contents/MacOS/firefox';
  const executablePath = onPath('firefox-esr', 'firefox') ?? (existsSync(installed) ? installed : undefined);
  if (executablePath === undefined || versionOf(executablePath) === undefined) {
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

/** The browsers of the smoke test, in their order. The journeys have the Chromium of an npm package. */
export const findBrowsers = (): (Found | Missing)[] => [newestChromium(), firefox(), webKit()];
