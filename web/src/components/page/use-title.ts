import { useEffect } from 'react';
import { product } from '../../../../schemas/product/product.ts';

/** Titles the document after content that isn't the usual content of its page. */
export function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${product.name}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
