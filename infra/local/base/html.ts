/** HTML that is inserted into a page unescaped. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Part = string | number | Html | readonly Html[] | undefined;

/** Escapes every part that isn't `Html`. An undefined part adds nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(sourceOf)));
}

function sourceOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.source;
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return part.map(({ source }) => source).join('');
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? '');

/** A complete page. `head` extends the common head; `attributes` are the body's attributes. */
export const document = ({
  title,
  head,
  attributes,
  body,
}: {
  title: string;
  head?: Html;
  attributes?: Html;
  body: Html;
}): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${head}
      </head>
      <body ${attributes}>
        ${body}
      </body>
    </html>`.source;
