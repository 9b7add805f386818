import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { exportFile } from './export-file.ts';
import { Setting } from '../setting.tsx';

type State =
  | { kind: 'idle' }
  | { kind: 'collecting' }
  | { kind: 'refused'; sentence: string }
  /** `name`: the name of the file. */
  | { kind: 'done'; name: string };

// Milliseconds. Safari reads a blob some time after the click.
const UNTIL_READ = 60_000;

export function ExportData() {
  const [state, setState] = useState<State>({ kind: 'idle' });

  const collect = async () => {
    if (state.kind === 'collecting') return;
    setState({ kind: 'collecting' });
    const answer = await call('export');
    if (!answer.ok) return setState({ kind: 'refused', sentence: answer.sentence });
    const { name, content } = exportFile(answer.value, new Date());
    save(name, content);
    setState({ kind: 'done', name });
  };

  return (
    <Setting
      title="Your data"
      about="Everything we hold about you, in one file: account, plan, subscriptions, invoices, where you signed in, and your place on the waitlist."
      action={
        <Button tone="secondary" aria-busy={state.kind === 'collecting'} onClick={() => void collect()}>
          {state.kind === 'collecting' ? 'Collecting your data...' : 'Export My Data'}
        </Button>
      }
    >
      {state.kind === 'refused' && <Notice tone="danger">{state.sentence}</Notice>}
      {state.kind === 'done' && (
        <Notice tone="success">Your data is in {state.name}, in your downloads folder.</Notice>
      )}
    </Setting>
  );
}

function save(name: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), UNTIL_READ);
}
