import type { Collection, Store } from '../../../infra/local/base/store.ts';

/** The stand-ins' store without SQLite. An undo list rolls back a transaction that throws. */
export class MemoryStore implements Pick<Store, 'collection' | 'transaction'> {
  #undo: (() => void)[] | undefined;

  collection<T>(): Collection<T> {
    const documents = new Map<string, T>();
    const change = (key: string, work: () => void): void => {
      // A rolled-back deletion moves its key to the end. No listing of the stand-ins depends on that order.
      const before = documents.get(key);
      this.#undo?.push(() => {
        if (before === undefined) documents.delete(key);
        else documents.set(key, before);
      });
      work();
    };
    return {
      get: (key) => documents.get(key),
      put: (key, value) => change(key, () => documents.set(key, value)),
      delete: (key) => change(key, () => documents.delete(key)),
      list: ({ customer } = {}) =>
        [...documents.values()].filter(
          (document) => customer === undefined || (document as { customer?: unknown }).customer === customer,
        ),
      newestFirst: (before) => {
        const newest = [...documents].toReversed();
        const from = before === undefined ? 0 : newest.findIndex(([key]) => key === before) + 1;
        return newest.slice(from).map(([, value]) => value);
      },
    };
  }

  transaction<T>(work: () => T): T {
    this.#undo = [];
    try {
      return work();
    } catch (error) {
      for (const undo of this.#undo.toReversed()) undo();
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }
}
