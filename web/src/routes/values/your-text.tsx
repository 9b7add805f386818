import { Link } from 'react-router-dom';
import { owner } from 'virtual:content/owner';
import { Journey } from './journey.tsx';
import page from './values.module.css';
import styles from './your-text.module.css';

const answers = [
  {
    question: 'What is sent',
    answer: 'The text you ran a command on, with the command and its contexts. Nothing before you ask.',
  },
  {
    question: 'To whom',
    answer:
      `To AI providers, for processing. ${[owner.providerNames, owner.models, owner.ourServers].filter(Boolean).join(' ')}`.trim(),
  },
  { question: 'How long it is kept', answer: owner.textAtProviders },
  { question: 'What it trains', answer: owner.training },
  {
    question: 'What stays on your Mac',
    answer:
      'Your commands and contexts are kept in local storage on your Mac, and may also be synchronized to servers.',
  },
];

/** The one answer to what happens to a user's text. Other pages link to it. */
export function YourText() {
  return (
    <section id="your-text" className={page.Beside} aria-labelledby="your-text-title">
      <div data-stack="6">
        <h2 id="your-text-title">What happens to your text</h2>
        <Journey />
      </div>
      <div>
        <dl className={styles.Answers}>
          {answers
            .filter(({ answer }) => answer)
            .map(({ question, answer }) => (
              <div key={question}>
                <dt>{question}</dt>
                <dd>{answer}</dd>
              </div>
            ))}
        </dl>
        <p className={styles.Binding}>
          {owner.unpublished.values || (
            <>
              The <Link to="/privacy#the-text-you-work-on">Privacy Policy</Link> binds us to this.
            </>
          )}{' '}
          Don’t run a command on a text that nobody else may see.
        </p>
      </div>
    </section>
  );
}
