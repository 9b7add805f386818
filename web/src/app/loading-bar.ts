// Milliseconds for which nothing shows, and in which the bar is as good as full.
const GRACE = 150;
const FULL = 8_000;

/** Shows a bar at the top of the window while a page's code loads, if that takes longer than a moment. */
export async function showLoading<T>(loading: Promise<T>): Promise<T> {
  if (import.meta.env.SSR) return loading;
  // Styled here, since the page's own styles have a budget.
  const bar = document.createElement('div');
  const style = { position: 'fixed', inset: '0 0 auto', zIndex: '20', height: '3px', transformOrigin: '0 0' };
  Object.assign(bar.style, style, { background: 'var(--highlight)' });
  const growing = [{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }];
  bar.animate(growing, {
    delay: GRACE,
    duration: FULL,
    easing: 'cubic-bezier(0, 0.6, 0.2, 1)',
    fill: 'both',
  });
  document.body.append(bar);
  try {
    return await loading;
  } finally {
    bar.remove();
  }
}
