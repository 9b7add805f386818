/**
 * Fonts are optional: what is painted without a font stays without it, so that nothing moves. A page that the
 * application opens later is new, though, and may show the fonts that have come since. Without this they
 * would wait for the next document. Browsers without the Navigation API do wait.
 */
export function showLateFonts(): void {
  let shown = location.pathname;
  if (!('navigation' in window)) return;
  window.navigation.addEventListener('currententrychange', () => {
    if (shown === location.pathname) return;
    shown = location.pathname;
    const [firstPaint] = performance.getEntriesByType('paint');
    for (const { cssRules } of document.styleSheets) {
      for (const rule of cssRules) {
        const file =
          rule instanceof CSSFontFaceRule && /\/assets\/[^"')]+/.exec(rule.style.getPropertyValue('src'));
        if (!file) continue;
        const [entry] = performance.getEntriesByName(new URL(file[0], location.href).href);
        const came = entry instanceof PerformanceResourceTiming ? entry.responseEnd : Infinity;
        // A change to a rule loads its font anew, so those in use are left alone.
        if (came > (firstPaint?.startTime ?? Infinity)) rule.style.setProperty('font-display', 'swap');
      }
    }
  });
}
