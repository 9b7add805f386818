import { useState } from 'react';
import { AppWindow } from '../../../components/app/app-window.tsx';
import { Overlay } from '../../../components/app/overlay.tsx';
import styles from './command-demo.module.css';
import { before, commands, commandScript, passage, triedAt, writtenAt } from './command-script.ts';
import { DemoFrame } from './demo-frame.tsx';
import { Typed } from './typed.tsx';
import { useDemo } from './use-demo.ts';

/** A paper's abstract, for which two commands are written, tried and kept. */
export function CommandDemo() {
  const demo = useDemo(commandScript);
  const { command, typed, tried } = demo.state;
  const [own, setOwn] = useState(false);
  const choose = (index: number) => {
    demo.hold(triedAt(index));
    setOwn(true);
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
              <input type="radio" name="command" checked={index === command} onChange={() => choose(index)} />
              <span>
                {name} <kbd data-tried={index === command && tried}>⌘G</kbd>
              </span>
            </label>
          ))}
        </fieldset>
        <div className={styles.Results} aria-live={own ? 'polite' : 'off'}>
          {commands.map(({ name, description, output }, index) => (
            <div key={name} data-shown={index === command}>
              <p>
                <b>Instruction</b> <Typed text={description} count={typed} />
              </p>
              <p data-tried={tried}>{output}</p>
            </div>
          ))}
        </div>
        <button
          type="button"
          className={styles.Try}
          data-scripted
          onClick={() => demo.playFrom(tried ? writtenAt(command) : triedAt(command))}
        >
          {tried ? 'Write it again' : 'Try it'}
        </button>
      </Overlay>
    </DemoFrame>
  );
}
