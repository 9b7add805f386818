import { use } from 'react';
import { details } from 'virtual:content/template-details';
import { product } from '../../../../schemas/product/product.ts';
import type { RawTemplate, TemplateDetails } from '../../../../schemas/content/template.ts';
import { buttonProps } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import styles from './template-details.module.css';

const loading = new Map<string, Promise<TemplateDetails>>();

/** Loads a template's configuration and example, once. */
export function loadDetails(id: string): Promise<TemplateDetails> {
  const load = details[id];
  const promise = loading.get(id) ?? load?.() ?? Promise.reject(new Error(`There is no template ${id}.`));
  loading.set(id, promise);
  return promise;
}

export default function TemplateDetailsPart({ id }: { id: string }) {
  const { rawData, example } = use(loadDetails(id));
  return (
    <>
      {example && <ExampleOf example={example} rawData={rawData} />}
      <Instructions rawData={rawData} />
      <Configuration id={id} json={JSON.stringify(rawData, null, 2)} />
    </>
  );
}

/** Copies every command and context, in the form in which the app takes them. */
export function CopyAll({ id }: { id: string }) {
  const { rawData } = use(loadDetails(id));
  const entries = groupsOf(rawData).flatMap(({ commands, contexts = [] }) => commands ?? contexts);
  return <CopyButton tone="primary" label="Copy all" value={entries.join('\n\n')} />;
}

function Configuration({ id, json }: { id: string; json: string }) {
  return (
    <section className={styles.Part} data-stack="5" aria-labelledby="json">
      <h2 id="json">All of it as JSON</h2>
      <div data-actions>
        <CopyButton value={json} />
        <a {...buttonProps({ tone: 'quiet' })} href={`/templates/${id}.json`} download>
          Download JSON
        </a>
      </div>
      <details className={styles.Json}>
        <summary>Show the configuration</summary>
        {/* Focusable, so that users can scroll with the keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section aria-label="Template configuration" tabIndex={0}>
          <pre>{json}</pre>
        </section>
      </details>
    </section>
  );
}

function ExampleOf({
  example: { command, before, after },
  rawData: { modes },
}: {
  example: NonNullable<TemplateDetails['example']>;
  rawData: RawTemplate;
}) {
  const rewrites = modes.write?.some(({ commands }) =>
    commands?.some((entry) => entry.startsWith(`${command}: `)),
  );
  return (
    <section className={styles.Part} data-stack="5" aria-labelledby="example">
      <h2 id="example">An example: {command}</h2>
      <div className={styles.Example}>
        <figure data-stack="2">
          <figcaption>{rewrites ? 'Before' : 'Selected text'}</figcaption>
          <blockquote>{before}</blockquote>
        </figure>
        <figure data-stack="2" data-result>
          <figcaption>{rewrites ? 'After' : 'Answer'}</figcaption>
          <blockquote>{after}</blockquote>
        </figure>
      </div>
      <p data-facts>We wrote this to show what the command asks for. Real answers differ.</p>
    </section>
  );
}

function groupsOf({ modes }: RawTemplate) {
  const groups = [...(modes.write ?? []), ...(modes.Analyze ?? [])];
  const contexts = groups.filter((group) => group.contexts);
  return [
    ...groups.filter(({ commands }) => commands),
    // A group of contexts can be in both modes.
    ...contexts.filter(({ name }, index) => contexts.findIndex((group) => group.name === name) === index),
  ];
}

/** The entries of the configuration, for people to read. */
function Instructions({ rawData }: { rawData: RawTemplate }) {
  return (
    <section className={styles.Part} data-stack="5" aria-labelledby="instructions">
      <h2 id="instructions">What is in it</h2>
      <p className={styles.Use}>
        In {product.name}, make a new command or context of each entry that you want, with its name or one of
        your own.
      </p>
      {groupsOf(rawData).map(({ name, commands, contexts: ofGroup = [] }) => (
        <section key={name} className={styles.Group} data-stack="4" aria-label={name}>
          <h3 data-plain>
            {name} <span>{commands ? 'commands' : 'contexts'}</span>
          </h3>
          <dl data-stack="4">
            {(commands ?? ofGroup).map((entry) => (
              <Instruction key={entry} entry={entry} />
            ))}
          </dl>
        </section>
      ))}
    </section>
  );
}

function Instruction({ entry }: { entry: string }) {
  const colon = entry.indexOf(': ');
  const name = entry.slice(0, colon);
  const instruction = entry.slice(colon + 2);
  return (
    <div>
      <dt>{name}</dt>
      <dd>{instruction}</dd>
      <dd>
        <CopyButton icon value={instruction} name={name} />
      </dd>
    </div>
  );
}
