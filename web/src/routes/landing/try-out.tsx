import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Answer, Overlay, Selection } from '../../components/app/overlay.tsx';
import { commands, rangeOf, selectedSentence, type Sentence, sentences } from './try-script.ts';
import styles from './try-out.module.css';

// Pixels.
const MARGIN = 12;

interface TryOutProps {
  /** The element that holds the letter. */
  letter: RefObject<HTMLElement | null>;
  /** The visitor's last selection in the letter. */
  selection: Range | undefined;
  onClose: () => void;
}

/** The app's window at a sentence of the letter, with commands whose answers are prepared. */
export default function TryOut({ letter, selection, onClose }: TryOutProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const mark = useRef<HTMLElement>(null);
  const [sentence, setSentence] = useState<Sentence | undefined>(
    () =>
      (letter.current && selection && selectedSentence(letter.current, selection)) ??
      sentences.find((each) => letter.current && rangeOf(each, letter.current)),
  );
  const [command, setCommand] = useState<number>();

  useLayoutEffect(() => {
    if (!sentence || !letter.current || !panel.current) return undefined;
    const marked = markIn(letter.current, sentence, panel.current);
    mark.current = marked?.mark ?? null;
    return marked?.undo;
  }, [sentence, letter]);

  if (!sentence) return null;
  const run = (index: number) => {
    setCommand(index);
    if (index === 0 && mark.current) mark.current.textContent = sentence.answers[0];
  };
  const next = () => {
    const after = sentences.indexOf(sentence) + 1;
    const others = [...sentences.slice(after), ...sentences.slice(0, after)];
    const found = others.find((each) => letter.current && rangeOf(each, letter.current));
    if (!found) return onClose();
    setCommand(undefined);
    setSentence(found);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    // Any part of the window hears the key.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog ref={panel} open className={styles.Panel} aria-label="Try it" onKeyDown={press}>
      <Overlay field="What would you like to do with it?">
        <Selection>{sentence.text}</Selection>
        <div className={styles.Commands}>
          {commands.map((name, index) => (
            <button key={name} type="button" aria-pressed={index === command} onClick={() => run(index)}>
              {name}
            </button>
          ))}
        </div>
        <output>
          {command !== undefined && (
            <Answer>{command === 0 ? 'Replaced in Mail.' : sentence.answers[command]}</Answer>
          )}
        </output>
        <div className={styles.Ways}>
          <button type="button" onClick={next}>
            Next Sentence
          </button>
          <button type="button" onClick={onClose}>
            Hide
          </button>
        </div>
      </Overlay>
    </dialog>
  );
}

/** Marks a sentence of the letter, and places the window below it. */
function markIn(letter: HTMLElement, sentence: Sentence, panel: HTMLElement) {
  const range = rangeOf(sentence, letter);
  if (!range) return undefined;
  const drawn = partsOf(letter);
  for (const part of drawn) part.classList.add(styles.Past ?? '');
  const mark = document.createElement('mark');
  range.surroundContents(mark);
  getSelection()?.removeAllRanges();
  const place = () => placeBelow(panel, mark);
  place();
  addEventListener('resize', place);
  panel.querySelector('button')?.focus({ preventScroll: true });
  panel.scrollIntoView({ block: 'nearest' });
  const undo = () => {
    const { parentNode } = mark;
    mark.replaceWith(...mark.childNodes);
    parentNode?.normalize();
    removeEventListener('resize', place);
    for (const part of drawn) part.classList.remove(styles.Past ?? '');
  };
  return { mark, undo };
}

/** The drawing's own highlight, keys and window, the first that has a list. */
function partsOf(letter: HTMLElement): Element[] {
  const window = letter.querySelector('ul')?.parentElement;
  return [...letter.querySelectorAll('mark'), window?.previousElementSibling, window].filter(
    (part) => part instanceof Element,
  );
}

/** Places the window below a sentence, within the width of the picture. */
function placeBelow(panel: HTMLElement, sentence: HTMLElement): void {
  const around = panel.offsetParent?.getBoundingClientRect() ?? new DOMRect();
  const { left, bottom } = sentence.getBoundingClientRect();
  const most = around.width - panel.offsetWidth - MARGIN;
  panel.style.left = `${Math.max(MARGIN, Math.min(left - around.left, most))}px`;
  panel.style.top = `${bottom - around.top + MARGIN}px`;
}
