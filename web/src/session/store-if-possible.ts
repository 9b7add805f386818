/** Stores a value whose loss is acceptable: the storage may be full. `storage`: null if it is forbidden. */
export function storeIfPossible(storage: Pick<Storage, 'setItem'> | null, key: string, value: string): void {
  try {
    storage?.setItem(key, value);
  } catch {
    // A full storage stores nothing.
  }
}
