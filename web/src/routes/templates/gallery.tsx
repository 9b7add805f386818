import { templates } from 'virtual:content/templates';
import type { TemplateSummary } from '../../../../schemas/content/template.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Marked } from '../../components/search/marked.tsx';
import { ALL, type Choice, commandFor, nothingFound, queryFor, shownIn } from './find-templates.ts';
import type { FoundTemplates } from './template-search.ts';
import { prefetchDetails } from './template-view.tsx';
import styles from './templates.module.css';

interface GalleryProps {
  choice: Choice;
  /** Undefined without a search. */
  found: FoundTemplates | undefined;
  /** Whether the search is loading, so that what would show isn't known yet. */
  pending: boolean;
  onChoose: (choice: Choice) => void;
  /** Called before the template's address opens. */
  onOpen: (template: TemplateSummary) => void;
}

export function Gallery({ choice, found, pending, onChoose, onOpen }: GalleryProps) {
  const shown = shownIn(templates, choice.category, found);
  return (
    <div className={styles.Gallery} data-stack="4" data-pending={pending}>
      <output className={shown.length === 0 ? 'visuallyHidden' : styles.Count}>
        {countOf(shown, choice, found)}
      </output>
      {shown.length === 0 ? (
        <Empty choice={choice} found={found} onChoose={onChoose} />
      ) : (
        <ul className={styles.List}>
          {shown.map((template) => (
            <Row
              key={template.id}
              template={template}
              choice={choice}
              found={found}
              onOpen={() => onOpen(template)}
            />
          ))}
        </ul>
      )}
      {found && (found.closest || found.ids.length === 0) && <OwnCommand search={choice.search} />}
    </div>
  );
}

function countOf(
  { length }: readonly TemplateSummary[],
  { category, search }: Choice,
  found: FoundTemplates | undefined,
): string {
  const number = length === 0 ? 'No templates' : length === 1 ? '1 template' : `${length} templates`;
  const where = category === ALL ? '' : ` in ${category}`;
  if (!found) return number + where;
  return found.closest
    ? `No template has all of “${search.trim()}”. The closest:`
    : `${number}${where} for “${search.trim()}”`;
}

function Empty({ choice, found, onChoose }: Pick<GalleryProps, 'choice' | 'found' | 'onChoose'>) {
  const { title, text, instead: [label, wider] = [] } = nothingFound(templates, choice, found);
  return (
    <div className={styles.Empty} data-stack="4">
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

function OwnCommand({ search }: { search: string }) {
  const command = commandFor(search);
  return (
    <section className={styles.Own} data-stack="4" aria-labelledby="own-command">
      <h2 id="own-command">Make it a command of your own</h2>
      <p>
        Copy this into a new command, and change it until it does what you want. The words before the colon
        are its name.
      </p>
      <blockquote>{command}</blockquote>
      <CopyButton value={command} name="the command" />
    </section>
  );
}

interface RowProps {
  template: TemplateSummary;
  choice: Choice;
  found: FoundTemplates | undefined;
  onOpen: () => void;
}

function Row({ template: { id, name, summary, sample }, choice, found, onOpen }: RowProps) {
  const prefetch = () => prefetchDetails(id);
  const commands = found?.commandsOf(id) ?? [];
  return (
    <li id={id} className={styles.Row} data-wide={Boolean(sample && !found)}>
      <h2 id={`${id}-name`}>
        <Marked found={found}>{name}</Marked>
      </h2>
      <ButtonLink
        to={{ search: queryFor(choice), hash: id }}
        tone="quiet"
        className={styles.Use ?? ''}
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
      <a className={styles.Json} href={`/templates/${id}.json`} aria-describedby={`${id}-name`}>
        JSON
      </a>
      <p>
        <Marked found={found}>{summary}</Marked>
      </p>
      {commands.length > 0 && (
        <p className={styles.Commands}>
          <b>{commands.length === 1 ? 'Command' : 'Commands'}</b>{' '}
          <Marked found={found}>{commands.join('\u00a0· ')}</Marked>
        </p>
      )}
      {sample && !found && (
        <dl className={styles.Sample}>
          <dt>Before</dt>
          <dd>{sample.before}</dd>
          <dt>After</dt>
          <dd>{sample.after}</dd>
        </dl>
      )}
    </li>
  );
}
