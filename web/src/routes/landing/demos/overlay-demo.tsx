import { AppWindow } from '../../../components/app/app-window.tsx';
import { Desktop } from '../../../components/app/desktop.tsx';
import { Commands, Overlay } from '../../../components/app/overlay.tsx';
import { DemoFrame } from './demo-frame.tsx';
import styles from './overlay-demo.module.css';
import { overlayScript, places } from './overlay-script.ts';
import { useDemo } from './use-demo.ts';

const commands = places.map(({ command }) => command);

/** A screen from edge to edge, on which the overlay moves between three windows. */
export function OverlayDemo() {
  const demo = useDemo(overlayScript);
  const { place, selected } = demo.state;
  return (
    <DemoFrame demo={demo}>
      <Desktop app={places[selected]?.app ?? ''} className={styles.Screen}>
        <div className={styles.Stage} data-place={place} data-shows={selected}>
          {places.map(({ app, lang, before, words, after }, index) => (
            <AppWindow key={app} title={app} className={styles.Window} current={index === place}>
              <div lang={lang} className={styles.Text} data-app={app}>
                <p>{before}</p>
                <p>
                  <span data-selected={index === selected}>{words}</span>
                </p>
                <p>{after}</p>
              </div>
            </AppWindow>
          ))}
          <div className={styles.Path}>
            <Overlay className={styles.Overlay}>
              <Commands of={commands} chosen={place} />
              <div className={styles.Answers}>
                {places.map(({ app, answer }, index) => (
                  <p key={app} data-shown={index === place}>
                    {answer}
                  </p>
                ))}
              </div>
            </Overlay>
          </div>
        </div>
      </Desktop>
    </DemoFrame>
  );
}
