/** A storage of the browser, as far as this site uses it; null if it is forbidden. */
export type PossibleStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;

/** Stores a value whose loss is acceptable: the storage may be full. */
export function storeIfPossible(storage: PossibleStorage, key: string, value: string): void {
  try {
    storage?.setItem(key, value);
  } catch {
    // A full storage stores nothing.
  }
}
