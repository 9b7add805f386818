// Each text names itself in its user agents, and stands before those that it also claims to be.
const browsers = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
] as const;

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/**
 * The browser that a `User-Agent` names, like `Firefox on Windows`. Always of the texts above: a sender can't
 * put words into a page or a mail. Several browsers call themselves Chrome, and an iPad a Mac.
 */
export function browserKind(userAgent = ''): string {
  const named = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = named(systems);
  return `${named(browsers) ?? 'A browser'}${system ? ` on ${system}` : ''}`;
}
