import { Link } from 'react-router-dom';
import { PageHeader } from '../../components/page/page-header.tsx';

export const SettingsHeader = () => (
  <PageHeader title="Settings">
    <p>
      <Link to="/dashboard">Back to Dashboard</Link>
    </p>
  </PageHeader>
);
