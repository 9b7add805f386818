import { MailWindow } from '../../../components/app/mail-window.tsx';
import { Button } from '../../../components/button.tsx';
import { DemoFrame } from './demo-frame.tsx';
import { useDemo } from './use-demo.ts';
import styles from './write-demo.module.css';
import { draft, polished, PRESSED, writeScript } from './write-script.ts';

const labels = { rough: 'Write', writing: 'Writing...', polished: 'Back to the draft' } as const;

/** A mail draft and the button that rewrites it. */
export function WriteDemo() {
  const demo = useDemo(writeScript);
  const { step } = demo.state;
  const press = () => {
    if (step === 'rough') demo.playFrom(PRESSED);
    if (step === 'polished') demo.hold(0);
  };
  return (
    <DemoFrame demo={demo}>
      <MailWindow to="Noor" subject="Your application" className={styles.Window}>
        <div className={styles.Text} data-step={step}>
          <p data-shown={step !== 'polished'}>
            <span className={styles.Draft}>{draft}</span>
          </p>
          <div data-shown={step === 'polished'}>
            {polished.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
        <div className={styles.Bar}>
          {/* aria-disabled, because a disabled button loses the focus. */}
          <Button
            tone={step === 'polished' ? 'secondary' : 'primary'}
            aria-disabled={step === 'writing'}
            onClick={press}
          >
            {/* Stacked, so that the button's width stays the same. */}
            <span className={styles.Labels}>
              {Object.entries(labels).map(([of, label]) => (
                <span key={of} data-shown={of === step}>
                  {label}
                </span>
              ))}
            </span>
          </Button>
        </div>
      </MailWindow>
    </DemoFrame>
  );
}
