import type { Answer } from '../answer.ts';
import { WaitlistEntry } from '../../../../schemas/rows/waitlist.ts';
import { csvRow } from '../csv.ts';
import { writePrivateFile } from '../private-file.ts';
import type { Tools } from '../tools.ts';

const columns = Object.keys(WaitlistEntry.shape) as (keyof WaitlistEntry)[];

/** Writes the waitlist to a file. */
export async function waitlistExport(
  { waitlist, target, now }: Tools,
  { file: named }: { file: string | undefined },
): Promise<Answer> {
  let count = 0;
  for await (const page of waitlist.pages()) count += page.length;
  const file = named ?? `waitlist-${target}-${now.toISOString().slice(0, 10)}.csv`;
  const change = {
    action: 'waitlist export',
    id: 'waitlist',
    detail: `${count} entries`,
    run: async () => [await writePrivateFile(file, rows())],
  };
  return { lines: [`The ${count} entries of the waitlist would be written into ${file}.`], change };

  async function* rows() {
    yield csvRow(columns);
    for await (const page of waitlist.pages()) {
      yield page.map((entry) => csvRow(columns.map((name) => entry[name] ?? ''))).join('');
    }
  }
}
