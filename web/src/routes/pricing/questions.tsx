import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { free, paidNames, soldIntervals } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import styles from './questions.module.css';

const YOUR_TEXT = `${product.valuesPath}#your-text`;

const questions: readonly { question: string; answer: ReactNode }[] = [
  {
    question: 'Do I need a card to begin?',
    answer: `No. ${free.name} costs ${free.price} ${free.period}. You need an account, but no card.`,
  },
  {
    question: 'What if I run out of requests?',
    answer: `They reset tomorrow, or you can upgrade to ${paidNames}. Your commands and contexts stay as they are.`,
  },
  {
    question: 'How do I pay?',
    answer: `By card, ${soldIntervals.one} in advance. You enter it in our payment provider’s form, not in ours. The price includes taxes.`,
  },
  {
    question: `How do I cancel ${paidNames}?`,
    answer: `You can cancel at any time on this page, without giving a reason. You keep ${paidNames} for the time you’ve paid for, and then your account is on ${free.name}. Until that day you can renew it here.`,
  },
  {
    question: 'What happens to my text?',
    answer: (
      <>
        It is sent to AI providers, on every plan, and never sold.{' '}
        <Link to={YOUR_TEXT}>Where it goes, and what stays on your Mac</Link>
      </>
    ),
  },
  {
    question: 'Why not what my Mac has, or ChatGPT?',
    answer: <Link to={`${product.valuesPath}#compare`}>The three side by side, in eight lines</Link>,
  },
  {
    question: 'Can the price change?',
    answer:
      'If it does, we’ll tell you at least 30 days before it applies to you. If you cancel before then, you keep the old price to the end.',
  },
];

export function Questions() {
  return (
    <section data-stack="5" aria-labelledby="questions">
      <h2 id="questions">Questions and answers</h2>
      <div className={styles.List}>
        {questions.map(({ question, answer }) => (
          <div key={question} className={styles.Question} data-stack="2">
            <h3>{question}</h3>
            <p data-quiet>{answer}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
