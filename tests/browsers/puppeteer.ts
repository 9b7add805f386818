import { type Frame, launch, type LaunchOptions } from 'puppeteer-core';
import { bodyOf, type Engine, WINDOW } from './engine.ts';

/**
 * Chromium over its own protocol and Firefox over WebDriver BiDi. Puppeteer speaks both, and Firefox needs no
 * geckodriver, which Debian doesn't have.
 */
export async function startPuppeteer(name: string, options: LaunchOptions): Promise<Engine> {
  const browser = await launch({ defaultViewport: WINDOW, ...options });
  const [page = await browser.newPage()] = await browser.pages();
  await page.setViewport(WINDOW);
  const version = (await browser.version()).split('/').at(-1);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') errors.push(message.text());
  });
  let frame: Frame | undefined;
  const current = (): Frame => frame ?? page.mainFrame();
  const call = (expression: string): string => `(() => { ${bodyOf(expression)} })()`;
  const elementOf = async (expression: string) => {
    const element = (await current().evaluateHandle(call(expression))).asElement();
    if (!element) throw new Error(`There is no ${expression}.`);
    return element;
  };

  return {
    name: `${name} ${version}`,
    open: async (address) => {
      frame = undefined;
      await page.goto(address);
    },
    evaluate: (expression) => current().evaluate(call(expression)),
    click: async (expression) => {
      await (await elementOf(expression)).click();
    },
    type: async (expression, text) => {
      const element = await elementOf(expression);
      // Firefox sends no keys to a frame of another origin whose field was only focused by a script.
      await element.click();
      await element.type(text);
    },
    enter: async (expression) => {
      frame = undefined;
      if (expression !== null) frame = (await (await elementOf(expression)).contentFrame()) ?? undefined;
    },
    takeErrors: () => errors.splice(0),
    close: () => browser.close(),
  };
}
