import { AppWindow } from '../../components/app/app-window.tsx';
import { Desktop } from '../../components/app/desktop.tsx';
import { Keys } from '../../components/app/keys.tsx';
import { Answer, Commands, Contexts, Overlay } from '../../components/app/overlay.tsx';
import { Typed } from '../landing/demos/typed.tsx';
import styles from './scene.module.css';
import { answer, draft, polished, type SceneState, words } from './scene-script.ts';

const COMMANDS = ['Summarize', 'Find the question', 'Say it plainly'];
const CONTEXTS = ['Comedic', 'Detail', 'Deep'];
const KEYS = { open: ['⌘', 'G'], hide: ['⌘', '⇧', 'Space'] };

/** A moment of the walkthrough. Its height depends on the width alone. */
export function Scene({ state, alt }: { state: SceneState; alt: string }) {
  const { announced, keys, overlay, reply } = state;
  return (
    // An img would need a file.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div className={styles.Scene} role="img" aria-label={alt}>
      <div className={styles.Scale} aria-hidden="true">
        <Desktop app="Mail" clock="Mon 9:41" className={styles.Desktop}>
          <AppWindow title="Inbox" className={styles.Mail}>
            <Letter state={state} />
          </AppWindow>
          <div className={styles.Reply} data-window={reply.window}>
            <AppWindow title="Re: Your draft">
              <p className={styles.Text}>
                <ReplyText {...reply} writing={overlay.view === 'writing'} />
              </p>
              <p className={styles.Send} data-pressed={reply.pressed}>
                Send
                {state.pointer === 'send' && <Pointer />}
              </p>
            </AppWindow>
          </div>
          <div className={styles.Overlay} data-shown={overlay.open} data-beside={reply.window}>
            <Overlay>
              <OverlayView {...overlay} />
            </Overlay>
          </div>
          <p className={styles.Banner} data-shown={announced}>
            <b>Ines</b> Your draft
          </p>
          <div className={styles.Keys} data-shown={keys.shown}>
            <Keys of={KEYS[keys.of]} pressed={keys.pressed} />
          </div>
        </Desktop>
      </div>
    </div>
  );
}

function Letter({ state: { arrived, selected, pointer, reply } }: { state: SceneState }) {
  return (
    <div className={styles.Letter} data-shown={arrived}>
      <p className={styles.From}>
        <b>Ines</b> Your draft
      </p>
      <p>Hello,</p>
      <p>
        Thank you for the draft.{' '}
        {words.map((word, index) => (
          // Separate elements, because the rest of a text would count as moved when its beginning is marked.
          <span key={index} data-selected={index < selected}>
            {word}
            {pointer === 'words' && index === Math.max(0, selected - 1) && <Pointer />}
          </span>
        ))}
      </p>
      <p>Ines</p>
      <div className={styles.Sent} data-shown={reply.window === 'sent'}>
        <p className={styles.From}>
          <b>You</b> Sent just now
        </p>
        <p>{polished}</p>
      </div>
    </div>
  );
}

function ReplyText({
  typed,
  polished: isPolished,
  pressed,
  writing,
}: SceneState['reply'] & { writing: boolean }) {
  if (isPolished) return pressed ? polished : <mark>{polished}</mark>;
  return (
    <span data-writing={writing}>
      {draft.slice(0, typed)}
      <span className={styles.Caret} />
    </span>
  );
}

function OverlayView({ view, command, contexts, answer: count }: SceneState['overlay']) {
  const chosen = CONTEXTS.slice(1, 1 + contexts);
  if (view === 'writing' || view === 'written') {
    return (
      <>
        <Commands of={['Say it plainly']} chosen={0} />
        <Answer>{view === 'writing' ? 'Writing...' : <s>{draft}</s>}</Answer>
      </>
    );
  }
  if (view === 'answer') {
    return (
      <>
        <Commands of={['Find the question']} chosen={0} />
        <Answer>
          <Typed text={answer} count={count} />
        </Answer>
        <Contexts of={chosen} chosen={chosen} />
      </>
    );
  }
  return (
    <>
      <p className={styles.Quote}>“{words}”</p>
      {view === 'prompt' ? (
        <Answer>What would you like to do with it?</Answer>
      ) : (
        <Commands of={COMMANDS} chosen={command} />
      )}
      {view === 'contexts' && <Contexts of={CONTEXTS} chosen={chosen} />}
    </>
  );
}

/** The mouse pointer, at the end of the text before it. */
function Pointer() {
  return (
    <span className={styles.Pointer}>
      <svg viewBox="0 0 16 22">
        <path d="M1.5 1.5v16l4-3.6 2.6 6 2.9-1.2-2.6-5.9h5.2z" />
      </svg>
    </span>
  );
}
