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
    for (const sheet of document.styleSheets) {
      for (const [index, { cssText }] of [...sheet.cssRules].entries()) {
        const changed = cssText.replace('font-display: optional', 'font-display: swap');
        const [file] = /\/assets\/[^"')]+/.exec(cssText) ?? [];
        if (!file || changed === cssText) continue;
        const [entry] = performance.getEntriesByName(new URL(file, location.href).href);
        const came = entry instanceof PerformanceResourceTiming ? entry.responseEnd : Infinity;
        // A changed rule loads its font anew, so those in use are left alone.
        if (came <= (firstPaint?.startTime ?? Infinity)) continue;
        // Firefox lets nobody set a descriptor of the rule.
        sheet.deleteRule(index);
        sheet.insertRule(changed, index);
      }
    }
  });
}
