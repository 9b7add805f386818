import { type ReactNode, useEffect } from 'react';
import { product } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CallToAction } from '../../components/call-to-action.tsx';
import { DownloadLink } from '../../components/download/download-link.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import styles from './demo.module.css';
import { Keys, Letter, Overlay, Picture } from './picture.tsx';

interface Step {
  title: string;
  text: ReactNode;
  /** What the picture shows, in words. */
  alt: string;
  picture: ReactNode;
}

const steps: readonly Step[] = [
  {
    title: 'Highlight what you are reading',
    text: 'Any text will do, in any app and on any website. Copying it works just as well.',
    alt: 'A letter with one long sentence highlighted.',
    picture: <Letter marked />,
  },
  {
    title: 'Press Command-G',
    text: `${product.name} opens over what you are doing, with your text already in hand. You don’t leave the page.`,
    alt: 'The keys Command and G, and a small window that has opened over the letter.',
    picture: (
      <>
        <Letter marked />
        <Overlay>
          <Keys of={['⌘', 'G']} />
          <p>What would you like to do with it?</p>
        </Overlay>
      </>
    ),
  },
  {
    title: 'Choose a command',
    text: 'Commands are instructions you wrote yourself. Select one beforehand and it runs by itself the moment you press the shortcut; without one, Custom Prompt mode opens and you type what you want.',
    alt: 'A list of three commands, of which “Find the question” is chosen.',
    picture: (
      <>
        <Letter marked />
        <Overlay>
          <Choices of={['Summarize', 'Find the question', 'Explain']} chosen={['Find the question']} />
        </Overlay>
      </>
    ),
  },
  {
    title: 'Add a context or two',
    text: 'Contexts say how the answer should sound. They go with any command, alone or together.',
    alt: 'The command “Find the question” with two contexts chosen, Detail and Deep, and a third, Comedic, left out.',
    picture: (
      <>
        <Letter marked />
        <Overlay>
          <Choices of={['Find the question']} chosen={['Find the question']} />
          <Choices of={['Comedic', 'Detail', 'Deep']} chosen={['Detail', 'Deep']} inline />
        </Overlay>
      </>
    ),
  },
  {
    title: 'Read the answer where you are',
    text: 'The text is sent to AI providers, and their answer comes back into the same small window.',
    alt: 'The answer in the small window: Ines wants to know what the middle part says, and whether Thursday suits you.',
    picture: (
      <>
        <Letter marked />
        <Overlay>
          <p>
            <strong>Find the question</strong>
          </p>
          <p>Ines wants to know what the middle part says, and whether Thursday suits you.</p>
        </Overlay>
      </>
    ),
  },
  {
    title: 'Have it written where you type',
    text: 'In your own reply, write roughly what you mean and let it be rewritten in place. What you get is a draft, and the last word is yours.',
    alt: 'A reply in two versions: “yes thurs fine. middle is too long i know, will cut”, struck out, and below it “Thursday suits me well. You are right about the middle: I will cut it.”',
    picture: <Reply />,
  },
  {
    title: 'Send it away',
    text: 'Command-Shift-Space hides the window. Both shortcuts are always the same.',
    alt: 'The letter alone again, and the keys Command, Shift and Space.',
    picture: (
      <>
        <Letter />
        <div className={styles.Corner}>
          <Keys of={['⌘', '⇧', 'Space']} />
        </div>
      </>
    ),
  },
];

export default function DemoPage() {
  // The page begins at its top, also after a reload, where browsers restore the position.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return (
    <PageLayout className={styles.Demo}>
      <PageHeader
        title="Complete Product Walkthrough"
        lead="From the first selection to the last word, in seven pictures. They are drawings of the app, so you can look at each for as long as you like."
      />
      <ol className={styles.Steps}>
        {steps.map(({ title, text, alt, picture }) => (
          <li key={title} className={styles.Step}>
            <Picture alt={alt}>{picture}</Picture>
            <div className={styles.Caption}>
              <h2>{title}</h2>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <CallToAction
        aria-labelledby="closing"
        actions={
          <>
            <DownloadLink size="large" />
            <ButtonLink to="/help" tone="secondary" size="large">
              Getting Started
            </ButtonLink>
          </>
        }
      >
        <h2 id="closing" className={styles.Closing}>
          Now with your own words
        </h2>
      </CallToAction>
    </PageLayout>
  );
}

interface ChoicesProps {
  of: readonly string[];
  chosen: readonly string[];
  inline?: boolean;
}

function Choices({ of, chosen, inline = false }: ChoicesProps) {
  return (
    <ul className={styles.Choices} data-inline={inline}>
      {of.map((choice) => (
        <li key={choice} data-chosen={chosen.includes(choice)}>
          {choice}
        </li>
      ))}
    </ul>
  );
}

function Reply() {
  return (
    <div className={styles.Letter}>
      <p>Dear Ines,</p>
      <p>
        <s>yes thurs fine. middle is too long i know, will cut</s>
      </p>
      <p>
        <mark>Thursday suits me well. You are right about the middle: I will cut it.</mark>
        <span className={styles.Caret} />
      </p>
    </div>
  );
}
