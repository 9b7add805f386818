import type { Page } from 'playwright/test';
import { chapters } from '../../web/src/routes/demo/chapters.ts';
import { applicationStarted, expect, test } from '../fixtures/browser/journey.ts';
import { layoutShifts, observeLayoutShifts } from '../fixtures/browser/layout-shifts.ts';
import { expectAccessible, expectNoAxeViolations } from '../fixtures/browser/page-checks.ts';

const LAST = '0:43 / 0:43';

test('with reduced motion the walkthrough is seven pictures with an address each', async ({ page }) => {
  await page.goto('/demo#chapter-5');
  await applicationStarted(page);
  await expect(page.getByRole('heading', { name: 'Read the answer where you are' })).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Complete Product Walkthrough' })).toBeVisible();
  await expect(page.getByRole('img')).toHaveCount(7);
  for (const [index, { title, caption, description }] of chapters.entries()) {
    const still = page.locator(`#chapter-${index + 1}`);
    await expect(still.getByRole('img')).toHaveAccessibleName(description);
    await expect(still.getByRole('heading', { level: 2 })).toHaveText(title);
    await expect(still.getByText(caption)).toBeVisible();
  }
  await expect(page.getByRole('region', { name: 'Walkthrough' })).toBeHidden();

  await page.goto('/demo');
  await page.getByRole('heading', { name: 'Now with your own words' }).scrollIntoViewIfNeeded();
  await page.reload();
  await expect.poll(() => page.evaluate('scrollY')).toBe(0);
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  const player = (page: Page) => page.getByRole('region', { name: 'Walkthrough' });
  const slider = (page: Page) => player(page).getByRole('slider', { name: 'Position' });
  const current = (page: Page) => player(page).locator('[aria-current="step"]');

  /** Opens the page and stops its clock, which the test then moves. */
  async function openWithClock(page: Page, path = '/demo'): Promise<void> {
    await page.clock.install();
    await page.goto(path);
    await applicationStarted(page);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  }

  test('player and caption are in the first screen, and the end covers no reply', async ({ page }) => {
    await page.goto('/demo');
    // Again, with the fonts, which can come too late for the first visit of a busy browser.
    await page.reload();
    await applicationStarted(page);
    const caption = player(page).getByText('Any text will do').first();
    const start = player(page).getByRole('button', { name: 'Play the walkthrough' });
    for (const size of [
      { width: 1280, height: 720 },
      { width: 1366, height: 768 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size);
      for (const part of [caption, start, slider(page), player(page).getByRole('list')]) {
        await expect(part).toBeInViewport({ ratio: 1 });
      }
    }
    await expectAccessible(page, 'the poster');
    await slider(page).press('End');
    await expectNoAxeViolations(page, 'the end');
    const reply = player(page).getByText('You are right about the middle').first();
    const download = player(page).getByRole('link', { name: 'Download for Mac' });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      const [words, button] = await Promise.all([reply.boundingBox(), download.boundingBox()]);
      if (!words || !button) throw new Error('The end has no reply or no button.');
      const beside = words.x + words.width <= button.x;
      expect(beside || words.y + words.height <= button.y).toBe(true);
    }
  });

  test('the walkthrough plays to its end without moving the page, and again', async ({ page }) => {
    await observeLayoutShifts(page);
    await openWithClock(page);
    await expect(page.getByRole('img')).toHaveCount(1);
    await expect(page.getByRole('img')).toHaveAccessibleName(/^A letter from Ines/);
    await expect(current(page)).toContainText('Highlight what you are reading');
    await player(page).getByRole('button', { name: 'Play the walkthrough' }).click();
    // The pressed button is gone.
    await expect(player(page).getByRole('button', { name: 'Pause' })).toBeFocused();
    for (const { start, title, caption, description } of chapters) {
      await page.clock.runFor(start === 0 ? 1_000 : 50);
      await expect(current(page)).toContainText(title);
      await expect(player(page).getByText(caption).first()).toBeVisible();
      await expect(page.getByRole('img')).toHaveAccessibleName(description);
      const next = chapters.find((chapter) => chapter.start > start)?.start ?? 0;
      await page.clock.runFor(Math.max(0, next - Number(await slider(page).inputValue())));
    }
    expect(await page.evaluate('location.hash')).toBe('#chapter-7');
    await page.clock.runFor(10_000);
    await expect(player(page).getByText(LAST)).toBeVisible();
    await expect(player(page).getByRole('link', { name: 'Download for Mac' })).toBeVisible();
    const shifts = await layoutShifts(page);
    expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(0.01);
    await player(page).getByRole('button', { name: 'Play it again' }).click();
    await expect(current(page)).toContainText('Highlight what you are reading');
  });

  test('a chapter has an address, and plays from its beginning, until the page is hidden; the slider moves by keys, and says time and chapter', async ({
    page,
  }) => {
    await openWithClock(page, '/demo#chapter-3');
    await expect(current(page)).toContainText('Choose a command');
    await expect(page.getByRole('img')).toHaveAccessibleName(/“Find the question” is chosen/);
    expect(await page.evaluate('scrollY')).toBe(0);
    await player(page).getByRole('button', { name: 'Play the walkthrough' }).click();
    await page.clock.runFor(1_000);
    await expect(player(page).getByText('0:11 / 0:43')).toBeVisible();

    await player(page).getByRole('button', { name: 'Add a context or two' }).click();
    await page.clock.runFor(2_000);
    await expect(player(page).getByText('0:17 / 0:43')).toBeVisible();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.clock.runFor(10_000);
    await expect(player(page).getByText('0:17 / 0:43')).toBeVisible();
    await expect(player(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();

    await slider(page).press('Home');
    await expect(player(page).getByText('0:00 / 0:43')).toBeVisible();
    await slider(page).press('PageUp');
    await expect(slider(page)).toHaveAttribute(
      'aria-valuetext',
      '0:04 of 0:43, Highlight what you are reading',
    );
    await slider(page).press('PageUp');
    await expect(slider(page)).toHaveAttribute('aria-valuetext', '0:08 of 0:43, Press Command+G');
    await expect(player(page).locator('[aria-live="polite"]').getByText('opens over what')).toBeVisible();
    await slider(page).press('End');
    await expect(player(page).getByText(LAST)).toBeVisible();
  });
});
