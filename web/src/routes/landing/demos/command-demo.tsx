import { useState } from 'react';
import { AppWindow } from '../../../components/app/app-window.tsx';
import { Overlay } from '../../../components/app/overlay.tsx';
import styles from './command-demo.module.css';
import { before, commands, commandScript, passage } from './command-script.ts';
import { DemoFrame } from './demo-frame.tsx';
import { useDemo } from './use-demo.ts';

/** A paper's abstract under two commands, with each command's description and output. */
export function CommandDemo() {
  const demo = useDemo(commandScript);
  const [own, setOwn] = useState<number>();
  const chosen = own ?? demo.state.command;
  const choose = (index: number) => {
    demo.hold();
    setOwn(index);
  };
  return (
    <DemoFrame demo={demo}>
      <AppWindow title="Walking and back pain.pdf">
        <p className={styles.Passage}>
          <b>Abstract.</b> {before} <mark>{passage}</mark>
        </p>
      </AppWindow>
      <Overlay className={styles.Overlay}>
        <fieldset className={styles.Switch}>
          <legend className="visuallyHidden">Command</legend>
          {commands.map(({ name }, index) => (
            <label key={name}>
              <input type="radio" name="command" checked={index === chosen} onChange={() => choose(index)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <div className={styles.Results} aria-live={own === undefined ? 'off' : 'polite'}>
          {commands.map(({ name, description, output }, index) => (
            <div key={name} data-shown={index === chosen}>
              <p>“{description}”</p>
              <p>{output}</p>
            </div>
          ))}
        </div>
      </Overlay>
    </DemoFrame>
  );
}
