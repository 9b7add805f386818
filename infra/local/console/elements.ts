import { type Html, html } from '../base/html.ts';

/** A table that scrolls sideways in a narrow window, including by keyboard. `name`: its accessible name. */
export function table(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html {
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((value, index) => html`<td data-label="${heads[index]}">${value}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const identifiers = new RegExp(
  [
    '(?<person>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[\\w.+-]+@[\\w-]+\\.[\\w.-]*\\w)',
    '(?<object>\\b(?:cus|sub|in|evt|cs|pi|ch|re|dp)_\\w+)',
  ].join('|'),
  'g',
);

/** A text with links from users (sub or address) and Stripe objects to the page that shows them. */
export function linked(text: string): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(identifiers)) {
    const [found] = match;
    parts.push(text.slice(end, match.index));
    const section = match.groups?.['person'] === undefined ? 'payments' : 'people';
    parts.push(html`<a href="/__local/${section}?q=${encodeURIComponent(found)}">${found}</a>`);
    end = match.index + found.length;
  }
  parts.push(text.slice(end));
  return html`${parts.map((part) => html`${part}`)}`;
}

/** A field that hides entries without its words. console.js runs the filter, and keeps the words in `?q=`. */
export const filter = html`<search>
  <label>Filter <input type="search" name="q" autocomplete="off" placeholder="address, id, word" /></label>
  <output></output>
</search>`;

/** A button that posts `body` to `action`, run by console.js. */
export function button(label: string, action: string, body: object = {}): Html {
  return html`<button type="button" data-post="${action}" data-body="${JSON.stringify(body)}">
    ${label}
  </button>`;
}

/** An entry of a description list. */
export const fact = (term: string, value: Html): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;

/** Like `2 messages`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const cell = (value: unknown): Html =>
  linked(value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/** A moment for people, in UTC. */
export const readable = (moment: Date): string =>
  Number.isNaN(moment.getTime()) ? '' : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
