/**
 * Fonts are optional: text painted without a font stays without it, so that nothing shifts. A page that the
 * application opens later may show the fonts that have loaded since. Without this function, they would wait
 * for the next document. In browsers without the Navigation API they do.
 */
export function showLateFonts(): void {
  let shown = location.pathname;
  window.navigation?.addEventListener('currententrychange', () => {
    if (shown === location.pathname) return;
    shown = location.pathname;
    const [firstPaint] = performance.getEntriesByType('paint');
    for (const sheet of document.styleSheets) {
      // Fonts are declared in the document itself. The rules of a file that couldn't be loaded can't be read.
      if (sheet.href) continue;
      for (const [index, { cssText }] of [...sheet.cssRules].entries()) {
        const changed = cssText.replace('font-display: optional', 'font-display: swap');
        const [file] = /\/assets\/[^"]+/.exec(cssText) ?? [];
        if (!file || changed === cssText) continue;
        const [entry] = performance.getEntriesByName(location.origin + file);
        // A changed rule loads its font again, so fonts in use are left alone.
        if (entry && entry.startTime + entry.duration <= (firstPaint?.startTime ?? Infinity)) continue;
        // Firefox doesn't allow changing a descriptor of the rule.
        sheet.deleteRule(index);
        sheet.insertRule(changed, index);
      }
    }
  });
}
