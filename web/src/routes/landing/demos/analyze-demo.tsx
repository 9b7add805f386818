import styles from './analyze-demo.module.css';
import { analyzeScript, sentences } from './analyze-script.ts';
import { DemoFrame } from './demo-frame.tsx';
import { Typed } from './typed.tsx';
import { useDemo } from './use-demo.ts';
import { Window } from './window.tsx';

/** A text, with questions about two of its sentences. */
export function AnalyzeDemo() {
  const demo = useDemo(analyzeScript);
  const { sentence, typed } = demo.state;
  return (
    <DemoFrame demo={demo} caption="Two sentences, two questions, no other window.">
      <div className={styles.Stage}>
        <Window title="Browser">
          <p className={styles.Before}>Fruit and how to keep it</p>
          <p className={styles.Text}>
            {sentences.map(({ text }, index) => (
              <span key={text}>
                <span className={styles.Sentence} data-selected={index === sentence}>
                  {text}
                </span>{' '}
              </span>
            ))}
          </p>
        </Window>
        <ol className={styles.Notes}>
          {sentences.map(({ question, answer }, index) => (
            <li key={question} data-begun={(typed[index]?.question ?? 0) > 0}>
              <p className={styles.Question}>
                <Typed text={question} count={typed[index]?.question ?? 0} />
              </p>
              <p>
                <Typed text={answer} count={typed[index]?.answer ?? 0} />
              </p>
            </li>
          ))}
        </ol>
      </div>
    </DemoFrame>
  );
}
