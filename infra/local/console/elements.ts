import { type Html, html } from '../base/html.ts';

/** A table that scrolls sideways in a narrow window, also by keyboard. `name` is its accessible name. */
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

/** A button that posts `body` to `action`. console.js runs it. */
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

/** A value of a table's row as text. */
export const cell = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** A moment for people, in UTC. */
export const readable = (moment: Date): string =>
  Number.isNaN(moment.getTime()) ? '' : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
