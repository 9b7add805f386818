import { useId, useState } from 'react';
import styles from './command-demo.module.css';
import { commands, commandScript, passage } from './command-script.ts';
import { DemoFrame } from './demo-frame.tsx';
import { useDemo } from './use-demo.ts';

/** A passage under two commands, with each command's description and output. */
export function CommandDemo() {
  const demo = useDemo(commandScript);
  const group = useId();
  const [own, setOwn] = useState<number>();
  const chosen = own ?? demo.state.command;
  const choose = (index: number) => {
    demo.hold();
    setOwn(index);
  };
  return (
    <DemoFrame demo={demo} caption="The same clause, under two commands.">
      <div className={styles.Card}>
        <blockquote className={styles.Passage}>
          <p>
            <mark>{passage}</mark>
          </p>
        </blockquote>
        <fieldset className={styles.Switch}>
          <legend className="visuallyHidden">Command</legend>
          {commands.map(({ name }, index) => (
            <label key={name}>
              <input type="radio" name={group} checked={index === chosen} onChange={() => choose(index)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <div className={styles.Results} aria-live={own === undefined ? 'off' : 'polite'}>
          {commands.map(({ name, description, output }, index) => (
            <div key={name} data-shown={index === chosen}>
              <p className={styles.Description}>“{description}”</p>
              <p className={styles.Output}>{output}</p>
            </div>
          ))}
        </div>
      </div>
    </DemoFrame>
  );
}
