import { Link, NavLink } from 'react-router-dom';

interface NavigationLinkProps {
  to: string;
  className: string | undefined;
  onClick?: () => void;
  children: string;
}

/** Marks the current page. Links to a part of a page are never marked. */
export function NavigationLink({ className = '', ...props }: NavigationLinkProps) {
  const Element = props.to.includes('#') ? Link : NavLink;
  return <Element className={className} {...props} />;
}
