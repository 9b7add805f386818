/**
 * Stores what is worth less than the work after it: the storage may be full. `storage`: null if it is
 * forbidden.
 */
export function storeIfPossible(storage: Pick<Storage, 'setItem'> | null, key: string, value: string): void {
  try {
    storage?.setItem(key, value);
  } catch {
    // Nothing is stored.
  }
}
