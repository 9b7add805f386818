import { useRef, useState } from 'react';
import { AppWindow } from '../../../components/app/app-window.tsx';
import { Overlay } from '../../../components/app/overlay.tsx';
import styles from './context-demo.module.css';
import { contexts, contextScript, isChosen, versions } from './context-script.ts';
import { DemoFrame } from './demo-frame.tsx';
import { useDemo } from './use-demo.ts';

/** A support answer in eight versions, one for each combination of contexts. */
export function ContextDemo() {
  const demo = useDemo(contextScript);
  const boxes = useRef<HTMLFieldSetElement>(null);
  const [own, setOwn] = useState<number>();
  const choice = own ?? demo.state.choice;

  const choose = (next: number) => {
    demo.hold();
    setOwn(next);
  };
  const toggle = (context: number) => choose(choice ^ (1 << context));
  // The pressed button disappears, so the focus moves to the matching checkbox.
  const focusBox = (index: number) => boxes.current?.querySelectorAll('input')[index]?.focus();

  return (
    <DemoFrame demo={demo}>
      <AppWindow title="Re: Where is my lamp?">
        <div className={styles.Versions} aria-live={own === undefined ? 'off' : 'polite'}>
          {versions.map(({ title, text }, index) => (
            <div key={title} data-shown={index === choice}>
              <h4>{title}</h4>
              <p>{text}</p>
            </div>
          ))}
        </div>
      </AppWindow>
      <Overlay className={styles.Overlay}>
        <fieldset ref={boxes} className={styles.Choices}>
          <legend className="visuallyHidden">Contexts</legend>
          {contexts.map(({ label, description }, index) => (
            <label key={label}>
              <input type="checkbox" checked={isChosen(choice, index)} onChange={() => toggle(index)} />
              <b>{label}</b>
              <span>{description}</span>
            </label>
          ))}
        </fieldset>
        <ChosenContexts
          choice={choice}
          onRemove={(context) => {
            toggle(context);
            focusBox(context);
          }}
          onClear={() => {
            choose(0);
            focusBox(0);
          }}
        />
      </Overlay>
    </DemoFrame>
  );
}

interface ChosenContextsProps {
  choice: number;
  onRemove: (context: number) => void;
  onClear: () => void;
}

function ChosenContexts({ choice, onRemove, onClear }: ChosenContextsProps) {
  return (
    <div className={styles.Chosen} data-row>
      {/* A new list for each choice: the same tag at another place would count as a layout shift. */}
      <ul key={choice} aria-label="Chosen contexts">
        {contexts.map(({ label }, index) => (
          <li key={label} hidden={!isChosen(choice, index)}>
            {label}
            <button type="button" data-marks aria-label={`Remove ${label}`} onClick={() => onRemove(index)} />
          </li>
        ))}
      </ul>
      <button type="button" className={styles.Clear} data-link data-marks hidden={!choice} onClick={onClear}>
        Clear All
      </button>
    </div>
  );
}
