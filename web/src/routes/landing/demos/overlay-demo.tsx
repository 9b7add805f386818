import styles from './overlay-demo.module.css';
import { DemoFrame } from './demo-frame.tsx';
import { overlayScript, places } from './overlay-script.ts';
import { useDemo } from './use-demo.ts';
import { Window } from './window.tsx';

/** The overlay moves between three windows. */
export function OverlayDemo() {
  const demo = useDemo(overlayScript);
  const { place } = demo.state;
  return (
    <DemoFrame demo={demo} caption="The overlay comes to the words, in whatever app they are.">
      <div className={styles.Stage} data-place={place}>
        {places.map(({ app, before, words }, index) => (
          <div key={app} className={styles.Row}>
            <Window title={app}>
              <p className={styles.Before}>{before}</p>
              <p className={styles.Words} data-selected={index === place}>
                <span>{words}</span>
              </p>
              <svg className={styles.Lines} aria-hidden="true" height="34" width="100%">
                <path d="M0 5h900M0 17h900M0 29h120" />
              </svg>
            </Window>
          </div>
        ))}
        <div className={styles.Path}>
          <div className={styles.Overlay}>
            {places.map(({ app, command, answer }, index) => (
              <div key={app} data-shown={index === place}>
                <p className={styles.Command}>
                  {command} <kbd>⌘G</kbd>
                </p>
                <p>{answer}</p>
              </div>
            ))}
          </div>
        </div>
      </div>
    </DemoFrame>
  );
}
