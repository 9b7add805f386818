/** Comments of fields by their path in the source, such as `BillingResponse.standing`. */
export type SchemaComments = ReadonlyMap<string, string>;

const NAMED = /^( *)(?:export const |const )?'?([\w-]+)'?(?: = |: )/;

/**
 * Reads the comments `/** … *\/` above the constants of a module, and above the fields of its object schemas.
 * Relies on the formatter's indentation.
 */
export function commentsIn(source: string): SchemaComments {
  const comments = new Map<string, string>();
  const around: { indentation: number; name: string }[] = [];
  let pending: string[] = [];
  let isOpen = false;
  for (const line of source.split('\n')) {
    const text = line.trim();
    if (isOpen || text.startsWith('/**')) {
      if (!isOpen) pending = [];
      pending.push(text);
      isOpen = !text.endsWith('*/');
      continue;
    }
    const [, spaces, name] = NAMED.exec(line) ?? [];
    if (spaces !== undefined && name !== undefined) {
      while ((around.at(-1)?.indentation ?? -1) >= spaces.length) around.pop();
      around.push({ indentation: spaces.length, name });
      if (pending.length > 0) comments.set(around.map((each) => each.name).join('.'), textOf(pending));
    }
    if (!text.startsWith('//')) pending = [];
  }
  return comments;
}

/** The text of a comment in one line, without tags and marks. */
function textOf(lines: readonly string[]): string {
  const text = lines.map((line) =>
    line
      .replace(/^\/?\*+\/?/, '')
      .replace(/\*\/$/, '')
      .trim(),
  );
  return text
    .join(' ')
    .replace(/(^| )@\w+ .*$/, '')
    .trim();
}
