import { PageLink } from '../../components/page-link.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import styles from './not-found.module.css';

const links = [
  { to: '/articles', label: 'the articles' },
  { to: '/templates', label: 'the templates' },
  { to: '/help', label: 'help' },
  { to: '/pricing', label: 'the prices' },
] as const;

export default function NotFoundPage() {
  return (
    <div className={styles.NotFound}>
      <svg className={styles.Ditto} viewBox="0 0 320 200" aria-hidden="true">
        <path className={styles.Rule} d="M0 40h320M0 184h320" />
        <path className={styles.Highlight} d="M86 64h148v104H86z" />
        <path className={styles.Stroke} d="M130 78h26l-16 76h-26zm50 0h26l-16 76h-26z" />
      </svg>
      <Message title="Page not found" actions={<ButtonLink to="/">Back to Home</ButtonLink>}>
        <p className={styles.Lead}>
          A ditto mark says <q>the same as above</q>, and above it there is nothing. There is no page at this
          address: it may have moved, or a letter may have slipped in on the way.
        </p>
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
    </div>
  );
}
