import { Link } from 'react-router-dom';
import { useCameFrom } from '../../navigation/use-came-from.ts';

interface WayProps {
  to: string;
  email?: string | undefined;
  children: string;
}

/** A link that takes the address along, for the next page's form, and the page that the user came from. */
export function Way({ to, email, children }: WayProps) {
  const cameFrom = useCameFrom();
  return (
    <Link to={to} state={{ ...cameFrom, email }} data-takes-along>
      {children}
    </Link>
  );
}
