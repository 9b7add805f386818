import { AppWindow } from '../../../components/app/app-window.tsx';
import { Overlay } from '../../../components/app/overlay.tsx';
import styles from './analyze-demo.module.css';
import { analyzeScript, sentences } from './analyze-script.ts';
import { DemoFrame } from './demo-frame.tsx';
import { Typed } from './typed.tsx';
import { useDemo } from './use-demo.ts';

/** A contract, with questions about two of its sentences. */
export function AnalyzeDemo() {
  const demo = useDemo(analyzeScript);
  const { sentence, typed } = demo.state;
  return (
    <DemoFrame demo={demo}>
      <div className={styles.Stage} data-begun={typed[0] !== 0}>
        <AppWindow title="Services agreement.pdf">
          <div className={styles.Text}>
            <b>9. Term and liability</b>
            <p>This agreement runs for twelve months from the date on which it was signed.</p>
            {sentences.map(({ text }, index) => (
              <p key={text}>
                <span data-selected={index === sentence}>{text}</span>
              </p>
            ))}
          </div>
        </AppWindow>
        <Overlay className={styles.Overlay}>
          <ol className={styles.Notes}>
            {sentences.map(({ question, answer }, index) => (
              <li key={question} data-begun={typed[2 * index] !== 0} data-current={index === sentence}>
                <b>
                  <Typed text={question} count={typed[2 * index]} />
                </b>
                <p>
                  <Typed text={answer} count={typed[2 * index + 1]} />
                </p>
              </li>
            ))}
          </ol>
        </Overlay>
      </div>
    </DemoFrame>
  );
}
