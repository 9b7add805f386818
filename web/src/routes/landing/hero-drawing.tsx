import { Desktop } from '../../components/app/desktop.tsx';
import { Keys } from '../../components/app/keys.tsx';
import { MailWindow } from '../../components/app/mail-window.tsx';
import { Commands, Contexts, Overlay } from '../../components/app/overlay.tsx';
import styles from './hero-drawing.module.css';

const wordy = [
  'I suppose what I would say, and do stop me if I have misread it, is that there may be a certain amount in',
  'the middle that could perhaps be looked at with a view to its being shorter, whereas the ending is really',
  'rather good and I would not touch it.',
].join(' ');
const plain = 'The middle could be shorter, but the ending is lovely: don’t touch it.';
const command = 'Say it plainly';
const count = (text: string) => text.split(' ').length;
const description = [
  `A reply in Mail. Command+G was pressed on a sentence of ${count(wordy)} words,`,
  `and the command ${command} has put another in its place: “${plain}”`,
].join(' ');

/** The app in one picture, with the result. The style sheet plays the earlier steps. */
export default function HeroDrawing() {
  return (
    // An image made of HTML, whose text can be selected.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <figure className={styles.Scene} role="img" aria-label={description}>
      <Desktop app="Mail" className={styles.Desktop}>
        <div className={styles.Stage}>
          <MailWindow to="Ines" subject="Re: Chapter four" className={styles.Mail}>
            <div className={styles.Letter}>
              <p>Dear Ines,</p>
              <p>
                <span data-sentence="0">Thank you for sending it so soon.</span>{' '}
                <span data-sentence="1">I read it twice on the train.</span>
              </p>
              <p className={styles.Change}>
                <span className={styles.Wordy}>
                  <mark>{wordy}</mark>
                </span>
                <span className={styles.Plain}>
                  <mark data-sentence="2">{plain}</mark>
                  <small>
                    <b>
                      {count(wordy)} words → {count(plain)}
                    </b>{' '}
                    <s>{wordy}</s>
                  </small>
                </span>
              </p>
              <blockquote>
                <p>Ines wrote on Wednesday:</p>
                <p>
                  Here it is at last. <span data-sentence="3">Be honest with me.</span>
                </p>
              </blockquote>
            </div>
          </MailWindow>
          <Keys of={['⌘', 'G']} className={styles.Keys} />
          <Overlay
            className={styles.Overlay}
            field={<span className={styles.Prompt}>What would you like to do with it?</span>}
            status="Replaced in Mail"
          >
            <Commands of={[command, 'Summarize', 'Explain']} chosen={0} />
            <Contexts of={['Kind', 'Brief', 'Detail']} chosen={['Kind']} />
          </Overlay>
        </div>
      </Desktop>
    </figure>
  );
}
