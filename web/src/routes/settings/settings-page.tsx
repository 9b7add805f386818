import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { usePlanAndBilling } from '../../plan/use-plan-and-billing.ts';
import { type User, useSession } from '../../session/session.ts';
import { useSignIns } from '../../account/use-sign-ins.ts';
import { AccountDeleted, type DeletedAccount } from './account/account-deleted.tsx';
import { ChangeAddress } from './account/change-address.tsx';
import { ChangeName } from './account/change-name.tsx';
import { DeleteAccount } from './account/delete-account.tsx';
import { ExportData } from './account/export-data.tsx';
import { SettingsHeader } from './settings-header.tsx';
import { Sessions } from './sessions/sessions.tsx';
import { WaysIn } from './ways-in/ways-in.tsx';

export default function SettingsPage() {
  const session = useSession();
  const [deleted, setDeleted] = useState<DeletedAccount | null>(null);
  if (deleted) return <AccountDeleted {...deleted} />;
  if (session.kind !== 'signed-in') return null;
  return <Settings user={session.user} onDeleted={setDeleted} />;
}

interface SettingsProps {
  user: User;
  onDeleted: (account: DeletedAccount) => void;
}

function Settings({ user, onDeleted }: SettingsProps) {
  const { state, standing } = usePlanAndBilling();
  const signIns = useSignIns();
  return (
    <PageLayout>
      <SettingsHeader />
      <Card title="Account">
        <div>
          <ChangeName user={user} />
          <ChangeAddress user={user} signIns={signIns} />
          <WaysIn user={user} {...signIns} />
        </div>
      </Card>
      <Card title="Security and data">
        <div>
          <Sessions {...signIns} />
          <ExportData />
          <DeleteAccount user={user} plan={state} standing={standing} onDeleted={onDeleted} />
        </div>
      </Card>
    </PageLayout>
  );
}
