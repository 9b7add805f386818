import { free, mainOffer } from '../../../../schemas/product/offers.ts';
import { limits, product } from '../../../../schemas/product/product.ts';
import styles from './compare.module.css';

// The day on which the sources below were read. Check each line again when you change it.
const CHECKED = 'November 28, 2026';
const sources = [
  ['Apple on Writing Tools', 'https://support.apple.com/guide/mac-help/mchldcd6c260/mac'],
  ['Apple on where the text goes', 'https://www.apple.com/legal/privacy/data/en/intelligence-engine/'],
  ['OpenAI on what it trains', 'https://help.openai.com/en/articles/7730893-data-controls-faq'],
  ['OpenAI’s prices', 'https://openai.com/chatgpt/pricing/'],
] as const;

const columns = [product.name, 'Writing Tools', 'ChatGPT’s app'] as const;
const lines: readonly (readonly [subject: string, ...cells: string[]])[] = [
  [
    'Your own commands',
    'As many as you like, each kept under a name.',
    'None to keep. You can describe a change, each time.',
    'Custom GPTs and projects hold instructions.',
  ],
  [
    'Tones',
    'Contexts that you write. Use several at once.',
    'Friendly, Professional, Concise.',
    'One set of custom instructions for all chats.',
  ],
  [
    'How it starts',
    'Command+G runs your command on what you highlighted.',
    'From a menu, on what you selected.',
    'Option+Space opens a field. You bring the text and the request.',
  ],
  [
    'Where it works',
    'In any app or website.',
    'Nearly everywhere you write.',
    'In its own window. Some apps can show it their text.',
  ],
  [
    'Where the answer goes',
    'In place of your words, or beside them.',
    'In place of your words, or into a panel.',
    'Into the chat, where you copy it.',
  ],
  [
    'Where your text goes',
    'To AI providers.',
    'It stays on your Mac, or goes to Apple’s servers, which don’t keep it.',
    'To OpenAI, which may train on it unless you turn that off.',
  ],
  [
    'Price',
    `${free.price} for ${limits.freeRequestsPerDay} requests a day, ${mainOffer.price} ${mainOffer.period}, unlimited.`,
    'Free on Macs with Apple silicon and macOS 15.1 or later.',
    'Free with limits, $20 per month for Plus.',
  ],
  [
    'What it does better',
    'It says things your way, in one gesture.',
    'Already built in, and the most private.',
    'Long conversations, images, files, voice, the web.',
  ],
];

/** The product beside what a Mac has built in, and beside ChatGPT's app. */
export function Compare() {
  return (
    <section id="compare" className={styles.Compare} data-stack="5" aria-labelledby="compare-title">
      <h2 id="compare-title">Why not what your Mac has, or ChatGPT?</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">In short</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([subject, ...cells]) => (
            <tr key={subject}>
              <th scope="row">{subject}</th>
              {cells.map((cell, index) => (
                <td key={cell} data-column={columns[index]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p data-facts>
        Checked on {CHECKED}:{' '}
        {sources.map(([name, address], index) => (
          <span key={address}>
            {index > 0 && ', '}
            <a href={address}>{name}</a>
          </span>
        ))}
        .
      </p>
    </section>
  );
}
