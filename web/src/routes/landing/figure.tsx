import styles from './figure.module.css';

const commands = ['Say it plainly', 'Summarize', 'Explain'] as const;
const contexts = ['Detail', 'Deep'] as const;

/** A drawing of the app: a selected sentence with the commands over it. */
export function Figure() {
  return (
    <figure
      className={styles.Figure}
      aria-label="A highlighted sentence in a letter, and beside it a small window that lists commands and contexts."
    >
      <div className={styles.Sheet} aria-hidden="true">
        <p>
          Thank you for the draft.{' '}
          <mark>
            It is very nearly there, though the part in the middle goes on for some while and I am not sure I
            could tell you what it says.
          </mark>{' '}
          Shall we talk on Thursday?
        </p>
      </div>
      <div className={styles.Overlay} aria-hidden="true">
        <p className={styles.Keys}>
          <kbd>⌘</kbd>
          <kbd>G</kbd>
        </p>
        <ul>
          {commands.map((command) => (
            <li key={command}>{command}</li>
          ))}
        </ul>
        <p className={styles.Contexts}>
          {contexts.map((context) => (
            <span key={context}>{context}</span>
          ))}
        </p>
      </div>
    </figure>
  );
}
