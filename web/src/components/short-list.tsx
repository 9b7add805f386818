import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

interface ShortListProps<T> {
  items: readonly T[];
  /** The number of items shown at first. */
  first: number;
  /** The items' name, for the button that shows all. */
  name: string;
  className: string | undefined;
  children: (item: T) => ReactNode;
}

export function ShortList<T>({ items, first, name, className, children }: ShortListProps<T>) {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul className={className}>{items.slice(0, all ? undefined : first).map(children)}</ul>
      {!all && items.length > first && (
        <div>
          <Button tone="secondary" onClick={() => setAll(true)}>
            Show All {items.length} {name}
          </Button>
        </div>
      )}
    </>
  );
}
