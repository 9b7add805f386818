/** The JSON object in a body. Undefined for an object without fields, null for anything else. */
export function objectIn(text: string): Record<string, unknown> | undefined | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
    return Object.keys(body).length === 0 ? undefined : { ...body };
  } catch {
    return null;
  }
}
