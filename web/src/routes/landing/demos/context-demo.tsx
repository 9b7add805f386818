import { useId, useRef, useState } from 'react';
import { AppWindow } from '../../../components/app/app-window.tsx';
import { Overlay } from '../../../components/app/overlay.tsx';
import styles from './context-demo.module.css';
import {
  combinationOf,
  combinations,
  type ContextId,
  contexts,
  contextScript,
  versionOf,
} from './context-script.ts';
import { DemoFrame } from './demo-frame.tsx';
import { useDemo } from './use-demo.ts';

/** A support answer in eight versions, one for each combination of contexts. */
export function ContextDemo() {
  const demo = useDemo(contextScript);
  const id = useId();
  const boxes = useRef<HTMLFieldSetElement>(null);
  const [own, setOwn] = useState<ReadonlySet<ContextId>>();
  const chosen = own ?? new Set(demo.state.chosen);
  const combination = combinationOf(chosen);

  const choose = (next: ReadonlySet<ContextId>) => {
    demo.hold();
    setOwn(next);
  };
  const toggle = (context: ContextId) => choose(toggled(chosen, context));
  // The pressed button disappears, so the focus moves to the matching checkbox.
  const focusBox = (index: number) => boxes.current?.querySelectorAll('input')[index]?.focus();

  return (
    <DemoFrame demo={demo} caption="The same answer, in any mixture of three contexts.">
      <AppWindow title="Re: Where is my lamp?">
        <div className={styles.Versions} aria-live={own ? 'polite' : 'off'}>
          {combinations.map((key) => {
            const { title, text } = versionOf(key);
            return (
              <div key={key} data-shown={key === combination}>
                <h4>{title}</h4>
                <p>{text}</p>
              </div>
            );
          })}
        </div>
      </AppWindow>
      <Overlay className={styles.Overlay}>
        <fieldset ref={boxes} className={styles.Choices}>
          <legend className="visuallyHidden">Contexts</legend>
          {contexts.map((context) => (
            <label key={context.id}>
              <input
                type="checkbox"
                checked={chosen.has(context.id)}
                aria-describedby={`${id}${context.id}`}
                onChange={() => toggle(context.id)}
              />
              <span className={styles.Label}>{context.label}</span>
              <span id={`${id}${context.id}`} className={styles.Description}>
                {context.description}
              </span>
            </label>
          ))}
        </fieldset>
        <ChosenContexts
          chosen={chosen}
          onRemove={(context, index) => {
            toggle(context);
            focusBox(index);
          }}
          onClear={() => {
            choose(new Set());
            focusBox(0);
          }}
        />
      </Overlay>
    </DemoFrame>
  );
}

interface ChosenContextsProps {
  chosen: ReadonlySet<ContextId>;
  onRemove: (context: ContextId, index: number) => void;
  onClear: () => void;
}

function ChosenContexts({ chosen, onRemove, onClear }: ChosenContextsProps) {
  return (
    <div className={styles.Chosen}>
      <ul aria-label="Chosen contexts">
        {contexts.map((context, index) => (
          <li key={context.id} data-chosen={chosen.has(context.id)}>
            {context.label}
            <button
              type="button"
              aria-label={`Remove ${context.label}`}
              onClick={() => onRemove(context.id, index)}
            >
              <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
                <path stroke="currentColor" strokeWidth="1.5" d="m1 1 8 8m0-8-8 8" />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className={styles.Clear} data-shown={chosen.size > 0} onClick={onClear}>
        Clear All
      </button>
    </div>
  );
}

function toggled(chosen: ReadonlySet<ContextId>, context: ContextId): ReadonlySet<ContextId> {
  const next = new Set(chosen);
  if (!next.delete(context)) next.add(context);
  return next;
}
