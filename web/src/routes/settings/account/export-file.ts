import type { AccountExport } from '../../../../../schemas/shapes/account-export.ts';
import { product } from '../../../../../schemas/product/product.ts';

/** The exported data as a file, named after today's date in the user's time zone. */
export function exportFile(data: AccountExport, now: Date): { name: string; content: string } {
  const [year, month, day] = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return {
    name: `${product.slug}-data-${year}-${month}-${day}.json`,
    content: `${JSON.stringify(data, null, 2)}\n`,
  };
}
