/*
 * Texts in the cache storage, which no request sends, and which stays when a browser without a session clears
 * the other storages. A browser that forbids it keeps nothing, and the pages do without.
 */

const CACHE = 'kept';

export async function keptText(key: string): Promise<string | undefined> {
  try {
    return await (await caches.match(`/${key}`))?.text();
  } catch {
    return undefined;
  }
}

/** Undefined removes the text. */
export async function keepText(key: string, text: string | undefined): Promise<void> {
  try {
    const cache = await caches.open(CACHE);
    await (text === undefined ? cache.delete(`/${key}`) : cache.put(`/${key}`, new Response(text)));
  } catch {
    // Nothing is kept.
  }
}
