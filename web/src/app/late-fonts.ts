/**
 * Fonts are optional: text painted without a font stays without it, so that nothing shifts. A page that the
 * application opens later may show the fonts that have loaded since. Without this function, they would wait
 * for the next document. In browsers without the Navigation API they do.
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
        // A changed rule loads its font again, so fonts in use are left alone.
        if (came <= (firstPaint?.startTime ?? Infinity)) continue;
        // Firefox doesn't allow changing a descriptor of the rule.
        sheet.deleteRule(index);
        sheet.insertRule(changed, index);
      }
    }
  });
}
