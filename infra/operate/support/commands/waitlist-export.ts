import { open } from 'node:fs/promises';
import type { Answer } from '../answer.ts';
import { WaitlistEntry } from '../../../../schemas/rows/waitlist.ts';
import { csvRow } from '../csv.ts';
import type { Tools } from '../tools.ts';

const columns = Object.keys(WaitlistEntry.shape) as (keyof WaitlistEntry)[];

/** Writes the waitlist to a file that only its owner can read. Never replaces a file. */
export async function waitlistExport(
  { waitlist, target, now }: Tools,
  { file: named }: { file: string | undefined },
): Promise<Answer> {
  let count = 0;
  for await (const page of waitlist()) count += page.length;
  const file = named ?? `waitlist-${target}-${now.toISOString().slice(0, 10)}.csv`;
  const change = {
    action: 'waitlist export',
    id: 'waitlist',
    detail: `${count} entries`,
    run: async () => {
      // Fails if the file exists.
      const handle = await open(file, 'wx', 0o600);
      try {
        await handle.write(csvRow(columns));
        for await (const page of waitlist()) {
          await handle.write(page.map((entry) => csvRow(columns.map((name) => entry[name] ?? ''))).join(''));
        }
      } finally {
        await handle.close();
      }
      return [`${file} is written. It holds personal data: delete it after use.`];
    },
  };
  return { lines: [`The ${count} entries of the waitlist would be written into ${file}.`], change };
}
