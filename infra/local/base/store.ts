import { DatabaseSync } from 'node:sqlite';

/** JSON documents by key, in the order of their first `put`. */
export interface Collection<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): void;
  /** `customer`: limits the list to this Stripe customer, by an index. */
  list(where?: { customer?: string | undefined }): T[];
  /** Newest first, read lazily. `before`: starts after this key. */
  newestFirst(before?: string): Iterable<T>;
}

/** State that survives restarts. Every `put` is on disk before it returns, so SIGKILL loses nothing. */
export class Store {
  readonly #database: DatabaseSync;

  /** `file` is a path, or `:memory:`. */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS document (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        collection TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        UNIQUE (collection, key)
      );
      CREATE INDEX IF NOT EXISTS document_order ON document (collection, position);
      CREATE INDEX IF NOT EXISTS document_customer ON document (collection, value ->> '$.customer', position);
    `);
  }

  collection<T>(name: string): Collection<T> {
    const database = this.#database;
    const get = database.prepare('SELECT value FROM document WHERE collection = ? AND key = ?');
    const put = database.prepare(
      'INSERT INTO document (collection, key, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
    const remove = database.prepare('DELETE FROM document WHERE collection = ? AND key = ?');
    const list = database.prepare('SELECT value FROM document WHERE collection = ? ORDER BY position');
    const listOfCustomer = database.prepare(
      `SELECT value FROM document WHERE collection = ? AND value ->> '$.customer' = ? ORDER BY position`,
    );
    const newestFirst = `SELECT value FROM document WHERE collection = ? AND position < coalesce(
      (SELECT position FROM document WHERE collection = ? AND key = ?), 9e18) ORDER BY position DESC`;
    // Only `put` below writes rows, so their shape is known.
    const parse = (row: Record<string, unknown>): T => JSON.parse(String(row['value'])) as T;
    return {
      get: (key) => {
        const row = get.get(name, key);
        return row && parse(row);
      },
      put: (key, value) => void put.run(name, key, JSON.stringify(value)),
      delete: (key) => void remove.run(name, key),
      list: ({ customer } = {}) =>
        (customer === undefined ? list.all(name) : listOfCustomer.all(name, customer)).map(parse),
      *newestFirst(before) {
        // A separate statement, so that two callers can read at the same time.
        const rows = database.prepare(newestFirst).iterate(name, name, before ?? null);
        for (const row of rows) yield parse(row);
      },
    };
  }

  /** Runs `work` in one transaction. `work` is synchronous. */
  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
