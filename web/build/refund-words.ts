import type { Plugin } from 'vite';
import { refunds } from '../../schemas/product/refund-text.ts';

/** Defines `import.meta.env.REFUNDS`: pages have the words of their seller, and load no others. */
export const refundWords = (): Plugin => ({
  name: 'refund-words',
  config: () => ({ define: { 'import.meta.env.REFUNDS': JSON.stringify(refunds) } }),
});
