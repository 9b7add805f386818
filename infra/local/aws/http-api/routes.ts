/** A route key of an HTTP API, like `GET /articles/{id}`, ready for matching. */
export interface RoutePattern {
  key: string;
  /** The path's parameters, decoded. Undefined if the request is not for this route. */
  match(method: string, path: string): Record<string, string> | undefined;
}

/** `key`: a route key, `$default` included. */
export function routePattern(key: string): RoutePattern {
  if (key === '$default') return { key, match: () => ({}) };
  const [method = '', pattern = ''] = key.split(' ');
  const names: string[] = [];
  const source = pattern
    .split('/')
    .map((segment) => {
      const parameter = /^\{([\w.-]+)(\+?)\}$/.exec(segment);
      if (!parameter) return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      names.push(parameter[1] ?? '');
      return parameter[2] ? '(.+)' : '([^/]+)';
    })
    .join('/');
  const expression = new RegExp(`^${source}$`);
  return {
    key,
    match(asked, path) {
      if (method !== 'ANY' && method !== asked) return undefined;
      const values = expression.exec(path)?.slice(1);
      return values && Object.fromEntries(names.map((name, index) => [name, decoded(values[index] ?? '')]));
    },
  };
}

/**
 * Sorts route keys by API Gateway's precedence: full paths, then paths with parameters, then greedy paths;
 * named methods before ANY; `$default` last.
 */
export function bySpecificity(left: string, right: string): number {
  const [a, b] = [specificity(left), specificity(right)];
  for (const [index, value] of a.entries()) {
    const difference = (b[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}

function specificity(key: string): number[] {
  if (key === '$default') return [-1];
  const [method = '', path = ''] = key.split(' ');
  const segments = path.split('/').slice(1);
  return [
    path.includes('+}') ? 0 : 1,
    segments.filter((segment) => !segment.startsWith('{')).length,
    segments.length,
    method === 'ANY' ? 0 : 1,
  ];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
