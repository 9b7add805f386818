import type { UserPlan } from '../../schemas/rows/plan.ts';
import { log } from '../runtime/log.ts';
import { hasNews } from './enqueue-mails.ts';
import type { NewsDependencies } from './tell-news.ts';

/**
 * Mails the user at once what a decision has changed, rather than with the next run of `billing-tasks`. Never
 * throws: after a failure that run tries again. `row`: as decided.
 */
export async function tellSoon(
  dependencies: NewsDependencies,
  row: UserPlan,
  addressOf: () => Promise<string | undefined>,
  now: Date,
): Promise<void> {
  if (!hasNews(row, now)) return;
  try {
    // Imported on demand: most decisions change nothing that is told.
    const { tellNews } = await import('./tell-news.ts');
    await tellNews(dependencies, row.id, addressOf, now);
  } catch (error) {
    log.error('news-not-told', { user: row.id }, error);
  }
}
