import { Link, NavLink } from 'react-router-dom';

interface NavigationLinkProps {
  to: string;
  className: string | undefined;
  onClick?: () => void;
  children: string;
}

/** Marks itself where it leads to the page that is open. A part of a page is no place to be, so it never does. */
export function NavigationLink({ className = '', ...props }: NavigationLinkProps) {
  const Element = props.to.includes('#') ? Link : NavLink;
  return <Element className={className} {...props} />;
}
