import { PageLink } from '../../components/page-link.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';

const links = [
  { to: '/articles', label: 'the articles' },
  { to: '/templates', label: 'the templates' },
  { to: '/help', label: 'help' },
  { to: '/pricing', label: 'pricing' },
] as const;

export default function NotFoundPage() {
  return (
    <Message
      title="Page not found"
      lead={
        <>
          A ditto mark says <q>the same as above</q>, and there is nothing above this one. There is no page at
          this address: it may have moved, or there may be a typo in the address.
        </>
      }
      actions={<ButtonLink to="/">Back to Home</ButtonLink>}
    >
      <p>
        From here you can also go to{' '}
        {links.map(({ to, label }, index) => (
          <span key={to}>
            {index > 0 && (index === links.length - 1 ? ' or ' : ', ')}
            <PageLink to={to}>{label}</PageLink>
          </span>
        ))}
        .
      </p>
    </Message>
  );
}
