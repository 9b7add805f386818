import { templates } from 'virtual:content/templates';
import type { TemplateSummary } from '../../../../schemas/content/template.ts';
import { Button, ButtonLink, buttonProps } from '../../components/button.tsx';
import { Marked } from '../../components/marked.tsx';
import { ALL, type Choice, found, nothingFound, queryFor } from './find-templates.ts';
import { prefetchDetails, TemplateFacts } from './template-view.tsx';
import styles from './templates.module.css';

interface GalleryProps {
  choice: Choice;
  onChoose: (choice: Choice) => void;
  /** Called before the template's address opens. */
  onOpen: (template: TemplateSummary) => void;
}

/** The templates that match a choice, with their number, or a hint if there are none. */
export function Gallery({ choice, onChoose, onOpen }: GalleryProps) {
  const shown = found(templates, choice);
  return (
    <div className={styles.Gallery}>
      <output className={shown.length === 0 ? 'visuallyHidden' : styles.Count}>
        {countOf(shown, choice)}
      </output>
      {shown.length === 0 ? (
        <Empty choice={choice} onChoose={onChoose} />
      ) : (
        <ul className={styles.List}>
          {shown.map((template) => (
            <Card key={template.id} template={template} choice={choice} onOpen={() => onOpen(template)} />
          ))}
        </ul>
      )}
    </div>
  );
}

function countOf({ length }: readonly TemplateSummary[], { category, search }: Choice): string {
  const number = length === 0 ? 'No templates' : length === 1 ? '1 template' : `${length} templates`;
  const where = category === ALL ? '' : ` in ${category}`;
  return search.trim() ? `${number}${where} for “${search.trim()}”` : number + where;
}

function Empty({ choice, onChoose }: Pick<GalleryProps, 'choice' | 'onChoose'>) {
  const { title, text, instead: [label, wider] = [] } = nothingFound(templates, choice);
  return (
    <div className={styles.Empty}>
      {title && <strong>{title}</strong>}
      <p>{text}</p>
      {wider && (
        <Button tone="secondary" onClick={() => onChoose(wider)}>
          {label}
        </Button>
      )}
    </div>
  );
}

interface CardProps {
  template: TemplateSummary;
  choice: Choice;
  onOpen: () => void;
}

function Card({ template, choice, onOpen }: CardProps) {
  const { id, name, summary, commands, contexts, sample } = template;
  const prefetch = () => prefetchDetails(id);
  const marked = (text: string) => <Marked search={choice.search}>{text}</Marked>;
  return (
    <li id={id} className={styles.Card}>
      <TemplateFacts template={template} />
      <h2 id={`${id}-name`}>{marked(name)}</h2>
      <p>{marked(summary)}</p>
      {sample && (
        <dl className={styles.Sample}>
          <dt className="visuallyHidden">Before</dt>
          <dd>{sample.before}</dd>
          <dt className="visuallyHidden">After</dt>
          <dd>{sample.after}</dd>
        </dl>
      )}
      <p className={styles.Names}>
        <b>Commands</b> {marked(commands.join('\u00a0· '))}
        {contexts.length > 0 && (
          <>
            <br />
            <b>Contexts</b> {marked(contexts.join('\u00a0· '))}
          </>
        )}
      </p>
      <div data-actions>
        <ButtonLink
          to={{ search: queryFor(choice), hash: id }}
          tone="secondary"
          data-scripted
          aria-describedby={`${id}-name`}
          onClick={(event) => {
            // With a modifier key the browser opens the link in a new tab or window.
            if (!(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) onOpen();
          }}
          onPointerEnter={prefetch}
          onFocus={prefetch}
        >
          Use Template
        </ButtonLink>
        <a {...buttonProps({ tone: 'quiet' })} href={`/templates/${id}.json`} aria-describedby={`${id}-name`}>
          JSON
        </a>
      </div>
    </li>
  );
}
