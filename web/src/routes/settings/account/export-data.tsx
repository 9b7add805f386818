import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { refused } from '../../../account/outcome.ts';
import { ActionButton } from '../../../components/account/action-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { exportFile } from './export-file.ts';
import { Setting } from '../setting.tsx';

// Milliseconds. Safari reads a blob some time after the click.
const UNTIL_READ = 60_000;

export function ExportData() {
  const [saved, setSaved] = useState<string>();

  const collect = async () => {
    setSaved(undefined);
    const answer = await call('export');
    if (!answer.ok) return refused(answer.sentence);
    const { name, content } = exportFile(answer.value, new Date());
    save(name, content);
    setSaved(name);
    return { kind: 'done' } as const;
  };

  return (
    <Setting
      title="Your data"
      about="Everything we hold about you, in one file: account, plan, subscriptions, invoices, where you signed in, and your place on the waitlist."
      action={
        <ActionButton tone="secondary" work={collect} busy="Collecting your data...">
          Export My Data
        </ActionButton>
      }
    >
      {saved && <Notice tone="success">Your data is in {saved}, in your downloads folder.</Notice>}
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
