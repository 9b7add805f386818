import type { Locator, Page } from 'playwright/test';
import { product } from '../../schemas/product/product.ts';
import { applicationStarted, expect, test } from '../fixtures/browser/journey.ts';
import { layoutShifts, observeLayoutShifts } from '../fixtures/browser/layout-shifts.ts';
import { expectNoAxeViolations } from '../fixtures/browser/page-checks.ts';

// The page's animations are under test.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Opens the landing page and stops its clock, which the test then moves. */
async function openWithClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto('/');
  await expect(page.locator('figure[data-in-sight]').first()).toBeAttached();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
}

/** The demo under a heading, scrolled into view and at the start of its round. */
async function demoOf(page: Page, heading: string): Promise<Locator> {
  const demo = page.getByRole('heading', { name: heading }).locator('xpath=../following-sibling::figure');
  await demo.scrollIntoViewIfNeeded();
  await expect(demo).toHaveAttribute('data-in-sight', 'true');
  return demo;
}

const headings = ['Floating overlay', 'Write Mode', 'Analyze text anywhere', 'Custom commands', 'Contexts'];

const shown = (demo: Locator): Locator => demo.locator('[data-shown="true"]:not(button *)');

test('a picture that cannot be loaded leaves the rest of the page', async ({ page }) => {
  await page.route(/hero-drawing.*\.js/, (route) => route.abort());
  await page.goto('/waitlist');
  await applicationStarted(page);
  await page.getByRole('link', { name: product.name, exact: true }).first().click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'See it again' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/be you$/);
});

test('the hero offers the download, with how to install it, and the waitlist', async ({ page, context }) => {
  await context.route(/downloads\.selfsame\.example/, (route) => route.fulfill({ body: 'disk image' }));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'AI that helps you be you' })).toBeVisible();
  const main = page.getByRole('main');
  const download = main.getByRole('link', { name: 'Download for Mac' }).first();
  await expect(download).toHaveAttribute('href', /\.dmg$/);
  await expect(main.getByText(/Needs macOS .*an internet connection$/).first()).toBeVisible();
  await expect(main.getByRole('link', { name: 'Send me the link' })).toHaveCount(0);

  await expect(page.locator('figure[data-in-sight]').first()).toBeAttached();
  const popup = page.getByRole('dialog', { name: 'Download Started!' });
  await download.click();
  await expect(popup.getByRole('listitem').getByRole('heading')).toHaveText([
    'Download complete',
    'Open the disk image',
    'Drag to Applications',
    'Launch',
  ]);
  await expect(popup).toContainText('Dock tip');
  // An animation has other contrasts.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectNoAxeViolations(page, 'the popup', ['dark', 'light']);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(popup).toBeHidden();
  await expect(download).toBeFocused();

  // The second click of a double click doesn't close it, nor does a click inside.
  await download.dblclick();
  await expect(popup).toBeVisible();
  await popup.getByRole('heading', { name: 'Download Started!' }).click();
  await expect(popup).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(popup).toBeHidden();

  await main.getByRole('link', { name: 'Windows Waitlist' }).first().click();
  await expect(page).toHaveURL('/waitlist');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the link to the site can be sent by mail, or with a share sheet', async ({ page }) => {
    await page.goto('/');
    await applicationStarted(page);
    const link = page.getByRole('main').getByRole('link', { name: 'Send me the link' }).first();
    const address = encodeURIComponent(product.siteOrigin);
    await expect(link).toHaveAttribute('href', `mailto:?subject=${product.name}%20for%20Mac&body=${address}`);
    const sharing = page.evaluate(
      () =>
        new Promise((resolve) => {
          const share = (data: unknown) => {
            resolve(data);
            return Promise.reject(new DOMException('The user closed the sheet.', 'AbortError'));
          };
          Object.defineProperty(navigator, 'share', { value: share });
        }),
    );
    await link.tap();
    expect(await sharing).toEqual({ title: `${product.name} for Mac`, url: product.siteOrigin });
  });
});

/** Stops the entrance at a moment, in milliseconds after the first paint. */
const entranceAt = (page: Page, milliseconds: number) =>
  page.evaluate((time) => {
    interface Moved {
      pause(): void;
      currentTime: number;
    }
    const { document } = globalThis as unknown as { document: { getAnimations(): Moved[] } };
    for (const animation of document.getAnimations()) {
      animation.pause();
      animation.currentTime = time;
    }
  }, milliseconds);

test('the entrance runs in four steps, and without motion its end is there at once', async ({ page }) => {
  interface Animated {
    effect: { getTiming(): { delay: number } };
  }
  const delays = () =>
    page.evaluate(() =>
      (globalThis as unknown as { document: { getAnimations(): Animated[] } }).document
        .getAnimations()
        .filter((animation) => 'animationName' in animation)
        .map((animation) => animation.effect.getTiming().delay)
        .toSorted((a, b) => a - b)
        .filter((delay, index, all) => delay !== all[index - 1]),
    );
  await page.goto('/');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect((await delays()).filter((delay) => delay >= 700)).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await delays()).toEqual([700, 1_200, 1_700, 2_200]);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  // The plain sentence takes the place of the selected one.
  const picture = page.getByRole('img', { name: /^A reply in Mail\./ });
  const [wordy, plain] = [picture.locator('mark').first(), picture.locator('mark').last()];
  await entranceAt(page, 2_199);
  await expect(wordy).toBeVisible();
  await expect(plain.locator('..')).toHaveCSS('opacity', '0');
  // On paper, the end is there at any moment.
  await page.emulateMedia({ media: 'print' });
  await expect(wordy).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  const before = await picture.boundingBox();
  await entranceAt(page, 10_000);
  await expect(wordy).toBeHidden();
  await expect(plain.locator('..')).toHaveCSS('opacity', '1');
  expect(await picture.boundingBox()).toEqual(before);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(wordy).toBeHidden();
  await expect(plain).toBeVisible();
});

test('the app’s window comes to a sentence that is selected, and nothing moves', async ({ page }) => {
  await observeLayoutShifts(page);
  await page.goto('/');
  await applicationStarted(page);
  const picture = page.getByRole('img', { name: /^A reply in Mail/ });
  const letter = picture.getByText('Thank you for sending it so soon.');
  // Selects a word.
  await letter.dblclick({ position: { x: 10, y: 10 } });
  await page.keyboard.press('Control+g');
  const app = page.getByRole('dialog', { name: 'Try it' });
  await expect(app).toContainText('Thank you for sending it so soon.');
  const [above, below] = [await letter.boundingBox(), await app.boundingBox()];
  expect(below?.y).toBeGreaterThan(above?.y ?? Infinity);
  await app.getByRole('button', { name: 'Say it plainly' }).press('Enter');
  await expect(picture.getByText('Thanks for the quick draft. I read it twice')).toBeVisible();
  await app.getByRole('button', { name: 'Next Sentence' }).press('Enter');
  await expect(app).toContainText('I read it twice on the train.');
  await app.getByRole('button', { name: 'Explain' }).press('Enter');
  await expect(app.getByRole('status')).toContainText('how closely it was read');
  await page.keyboard.press('Escape');
  await expect(app).toBeHidden();
  const open = page.getByRole('button', { name: 'Try it here' });
  await expect(open).toBeFocused();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open.press('Enter');
  await expect(app.getByRole('button', { name: 'Say it plainly' })).toBeFocused();
  await expectNoAxeViolations(page, 'the window');
  expect(await layoutShifts(page)).toEqual([]);
});

/**
 * Faults of the heading's highlight: letters of the selected words that reach out of it, and
 * letters of other words that it touches. Compares the ink of the letters, in a page. A font's metrics are
 * rounded to whole pixels, so one pixel is let through.
 */
const highlightFaults = String.raw`(heading, family) => {
  heading.style.fontFamily = family;
  const { font, letterSpacing } = getComputedStyle(heading);
  const canvas = Object.assign(document.createElement('canvas').getContext('2d'), { font, letterSpacing });
  const inkOf = (node, start, text) => {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, start + text.length);
    const { left, top } = range.getBoundingClientRect();
    const ink = canvas.measureText(text);
    const baseline = top + ink.fontBoundingBoxAscent;
    return {
      left: left - ink.actualBoundingBoxLeft, right: left + ink.actualBoundingBoxRight,
      top: baseline - ink.actualBoundingBoxAscent, bottom: baseline + ink.actualBoundingBoxDescent,
    };
  };
  const highlight = heading.querySelector('i').getBoundingClientRect();
  const faults = [];
  const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const selected = node.parentElement !== heading;
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      const ink = inkOf(node, index, word);
      const inside = ink.left >= highlight.left && ink.right <= highlight.right &&
        ink.top >= highlight.top - 1 && ink.bottom <= highlight.bottom + 1;
      const touched = ink.left < highlight.right && ink.right > highlight.left &&
        ink.top < highlight.bottom - 1 && ink.bottom > highlight.top + 1;
      if (selected ? !inside : touched) faults.push(word);
    }
  }
  return faults;
}`;

test('the highlight of the tagline cuts no letter, at any width and in other fonts', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const faults: string[] = [];
  for (const width of [320, 390, 600, 768, 1024, 1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    for (const family of ['', 'serif', 'DejaVu Serif', 'sans-serif', 'monospace']) {
      const words = await page.evaluate<string[]>(
        `(${highlightFaults})(document.querySelector('h1'), '${family}')`,
      );
      faults.push(...words.map((word) => `“${word}” at ${width} px in ${family || 'our own'}`));
    }
  }
  expect(faults).toEqual([]);
});

test('the demos play by the clock while they are in view, and cause no layout shift', async ({ page }) => {
  await observeLayoutShifts(page);
  await openWithClock(page);
  const overlay = await demoOf(page, 'Floating overlay');
  const first = await shown(overlay).innerText();
  await page.clock.runFor(2_000);
  expect(await shown(overlay).innerText()).toBe(first);
  await page.clock.runFor(1_000);
  const second = await shown(overlay).innerText();
  expect(second).not.toBe(first);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(overlay).toHaveAttribute('data-in-sight', 'false');
  await page.clock.fastForward(4_000);
  expect(await shown(overlay).innerText()).toBe(second);

  const analysis = await demoOf(page, 'Analyze text anywhere');
  await page.clock.runFor(1_200);
  await expect(analysis.locator('[data-typing]').first()).toHaveText('We signed ', { useInnerText: false });

  // From here on, with the heights of all that is scrolled over.
  await layoutShifts(page);
  for (const heading of headings) {
    const demo = await demoOf(page, heading);
    const height = (await demo.boundingBox())?.height;
    for (let step = 0; step < 10; step += 1) {
      await page.clock.fastForward(4_100);
      expect((await demo.boundingBox())?.height).toBe(height);
    }
  }
  expect(await layoutShifts(page)).toEqual([]);
});

test('a single control pauses and resumes every demo', async ({ page }) => {
  await openWithClock(page);
  const control = page.getByRole('button', { name: /^(Pause|Play) the demos$/ });
  await expect(control).toHaveCount(1);
  const contexts = await demoOf(page, 'Contexts');
  await control.press('Enter');
  await expect(control).toHaveAccessibleName('Play the demos');
  await page.clock.fastForward(60_000);
  await expect(contexts.getByRole('listitem')).toHaveText(['Comedic']);
  const overlay = await demoOf(page, 'Floating overlay');
  const before = await shown(overlay).innerText();
  await page.clock.fastForward(60_000);
  expect(await shown(overlay).innerText()).toBe(before);
  await control.click();
  await demoOf(page, 'Floating overlay');
  await page.clock.runFor(3_000);
  expect(await shown(overlay).innerText()).not.toBe(before);
});

test('a user takes over a demo, which keeps the choice, and the focus its place', async ({ page }) => {
  await openWithClock(page);
  const write = await demoOf(page, 'Write Mode');
  await expect(shown(write)).toContainText('it was really close');
  await write.getByRole('button', { name: 'Write' }).click();
  await page.clock.runFor(1_450);
  await expect(write.getByRole('button', { name: 'Writing...' })).toBeFocused();
  await expect(shown(write)).toContainText('it was really close');
  await page.clock.runFor(50);
  await expect(write.getByRole('button', { name: 'Writing...' })).toBeHidden();
  await expect(shown(write)).toContainText('It was very close');
  await write.getByRole('button', { name: 'Back to the draft' }).click();

  const commands = await demoOf(page, 'Custom commands');
  await expect(commands.getByRole('radio', { name: 'Summarize' })).toBeChecked();
  await commands.getByRole('radio', { name: 'Explain' }).check();
  await expect(shown(commands)).toContainText('never took statistics');
  await expect(shown(commands)).not.toContainText('how sure they are');
  await commands.getByRole('radio', { name: 'Explain' }).press('ArrowLeft');
  await expect(commands.getByRole('radio', { name: 'Summarize' })).toBeChecked();
  const output = commands.getByText('slightly less pain');
  await commands.getByRole('button', { name: 'Write it again' }).click();
  await expect(output).toBeHidden();
  await commands.getByRole('button', { name: 'Try it' }).click();
  await expect(output).toBeVisible();
  await commands.getByRole('radio', { name: 'Explain' }).check();
  await commands.getByRole('radio', { name: 'Summarize' }).check();
  const summary = await shown(commands).innerText();

  const contexts = await demoOf(page, 'Contexts');
  await expect(contexts.getByRole('listitem')).toHaveText(['Comedic']);
  for (const label of ['Comedic', 'Detail', 'Deep'])
    await contexts.getByRole('checkbox', { name: label }).check();
  await contexts.getByRole('button', { name: 'Remove Detail' }).press('Enter');
  await expect(contexts.getByRole('listitem')).toHaveText(['Comedic', 'Deep']);
  await expect(contexts.getByRole('checkbox', { name: 'Detail' })).toBeFocused();
  await contexts.getByRole('button', { name: 'Clear All' }).press('Enter');
  await expect(contexts.getByRole('listitem')).toHaveCount(0);
  await expect(contexts.getByRole('checkbox', { name: 'Comedic' })).toBeFocused();
  await expect(shown(contexts).getByRole('heading')).toHaveText('Your order is delayed');

  await page.clock.fastForward(60_000);
  await expect(contexts.getByRole('listitem')).toHaveCount(0);
  await demoOf(page, 'Custom commands');
  expect(await shown(commands).innerText()).toBe(summary);
  await demoOf(page, 'Write Mode');
  await expect(shown(write)).toContainText('it was really close');
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('every demo shows its final state', async ({ page }) => {
    await openWithClock(page);
    await page.clock.fastForward(30_000);
    const write = await demoOf(page, 'Write Mode');
    await expect(shown(write)).toContainText('It was very close');
    const contexts = await demoOf(page, 'Contexts');
    await expect(contexts.getByRole('listitem')).toHaveText(['Comedic', 'Detail']);
    await expect(page.getByRole('button', { name: 'Play the demos' })).toBeVisible();
  });
});
