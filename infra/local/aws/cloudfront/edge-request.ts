import type { IncomingMessage } from 'node:http';
import type { EdgeRequest, EdgeValues } from './function.ts';

export function edgeRequestOf(request: IncomingMessage, uri: string, query: string): EdgeRequest {
  const { cookie, ...headers } = request.headers;
  const cookies = (cookie ?? '').split(/;\s*/).filter((pair) => pair.includes('='));
  return {
    method: request.method ?? 'GET',
    uri,
    querystring: edgeValues(
      // CloudFront doesn't decode queries.
      query
        .split('&')
        .filter((pair) => pair !== '')
        .map((pair) => splitPair(pair)),
    ),
    headers: edgeHeaders(headers),
    cookies: edgeValues(cookies.map((pair) => splitPair(pair))),
  };
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function edgeValues(pairs: [string, string][]): EdgeValues {
  // A map first: in an object, a name like `__proto__` would find inherited properties.
  const values = new Map<string, EdgeValues[string]>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    values.set(
      name,
      before
        ? { ...before, multiValue: [...(before.multiValue ?? [{ value: before.value }]), { value }] }
        : { value },
    );
  }
  return Object.fromEntries(values);
}

export function edgeHeaders(headers: Record<string, string | string[] | undefined>): EdgeValues {
  return edgeValues(
    Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name.toLowerCase(), each]),
    ),
  );
}

/** Headers in Node's form. */
export function plainHeaders(values: EdgeValues): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(values).map(([name, { value, multiValue }]) => [
      name.toLowerCase(),
      multiValue ? multiValue.map((each) => each.value) : value,
    ]),
  );
}
