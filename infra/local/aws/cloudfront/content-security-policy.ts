/** The policy without directives that force HTTPS, which localhost doesn't support. */
export function overHttp(policy: string): string {
  return written(
    directives(policy).filter(
      ([name]) => name !== 'upgrade-insecure-requests' && name !== 'block-all-mixed-content',
    ),
  );
}

/** The policy with exceptions for Vite's development server: inline scripts, inline styles and its socket. */
export function forDevelopment(policy: string, socketOrigin: string): string {
  const given = new Map(directives(policy));
  given.delete('require-trusted-types-for');
  const fallback = given.get('default-src') ?? [];
  const open = (name: string, ...sources: string[]) =>
    given.set(name, [
      ...new Set([...(given.get(name) ?? fallback).filter((source) => source !== "'none'"), ...sources]),
    ]);
  for (const name of ['script-src', 'style-src']) {
    open(name, "'unsafe-inline'");
    // A browser that finds a hash or a nonce ignores 'unsafe-inline'.
    const sources = given.get(name) ?? [];
    given.set(
      name,
      sources.filter((source) => !/^'(sha\d+-|nonce-|strict-dynamic)/.test(source)),
    );
  }
  open('connect-src', socketOrigin);
  open('worker-src', 'blob:');
  return written([...given]);
}

type Directive = [name: string, sources: string[]];

function directives(policy: string): Directive[] {
  return policy
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
    .filter(([name]) => name)
    .map(([name = '', ...sources]) => [name.toLowerCase(), sources]);
}

function written(all: Directive[]): string {
  return all.map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}
