import { Link, type LinkProps } from 'react-router-dom';
import { hasPage } from '../pages/pages.ts';

/** A link if the site has the page, and plain text otherwise. */
export function PageLink({ to, children, ...props }: LinkProps & { to: string }) {
  return hasPage(to) ? (
    <Link to={to} {...props}>
      {children}
    </Link>
  ) : (
    children
  );
}
