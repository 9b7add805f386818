import { useCallback, useEffect, useState } from 'react';
import type { Found } from './text-index.ts';

/**
 * The result of a search, whose index `prepare` loads, or a text. Undefined without a text, and until the
 * index is there: `pending`. `failed`: the index could not be loaded.
 */
export function useSearch<F extends Found>(text: string, load: () => Promise<(text: string) => F>) {
  const [search, setSearch] = useState<((text: string) => F) | 'failed' | undefined>();
  const prepare = useCallback(() => {
    load().then(
      (loaded) => setSearch(() => loaded),
      () => setSearch('failed'),
    );
  }, [load]);
  const isSearching = text.trim() !== '';
  useEffect(() => {
    if (isSearching) prepare();
  }, [isSearching, prepare]);
  const found = isSearching && typeof search === 'function' ? search(text) : undefined;
  const failed = isSearching && search === 'failed';
  return { found, failed, pending: isSearching && !found && !failed, prepare };
}
