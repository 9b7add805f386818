import type { ReactNode } from 'react';
import { plans, product } from '../../../../schemas/product.ts';
import styles from './entries.module.css';

interface Entry {
  word: string;
  kind: 'verb' | 'noun';
  meaning: ReactNode;
}

const entries: readonly Entry[] = [
  {
    word: 'read',
    kind: 'verb',
    meaning: (
      <>
        Copy or highlight text in any app or website and press <kbd>Command-G</kbd>. The answer comes to where
        you are.
      </>
    ),
  },
  {
    word: 'write',
    kind: 'verb',
    meaning: 'Rewrite a sentence, or begin one, in the very field you are typing in.',
  },
  {
    word: 'command',
    kind: 'noun',
    meaning:
      'An instruction in your own words, kept under a name. Choose one beforehand and it runs by itself. Have as many as you like, on every plan.',
  },
  {
    word: 'context',
    kind: 'noun',
    meaning:
      'A tone or a style to go with a command: how you sound to a colleague, to a customer, to a friend.',
  },
];

const facts = [
  {
    title: 'It runs on a Mac',
    text: 'Only there, for now. It needs the accessibility permission of macOS to see what you selected.',
  },
  {
    title: 'It needs the internet',
    text: 'The text you run a command on is sent to AI providers for processing. Nothing works offline.',
  },
  {
    title: 'It costs nothing to begin',
    text: `${plans.free.name} is ${plans.free.price} ${plans.free.period}: ${plans.free.features[0]}, with unlimited commands and contexts.`,
  },
] as const;

/** What the product does, put the way a dictionary would. */
export function Entries() {
  return (
    <section id="features" className={styles.Entries} aria-labelledby="features-title">
      <div className={styles.Head}>
        <h2 id="features-title" className={styles.Word}>
          {product.name.toLowerCase()}
        </h2>
        <p>
          <i>adjective.</i> The very same; not another. As in: <q>she read it back in the selfsame words.</q>
        </p>
      </div>
      <dl className={styles.List}>
        {entries.map(({ word, kind, meaning }) => (
          <div key={word}>
            <dt>
              <span className={styles.Word}>{word}</span> <i>{kind}</i>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <ul className={styles.Facts}>
        {facts.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
