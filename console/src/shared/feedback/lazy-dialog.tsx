import { Suspense, useEffect, useState, type ComponentType } from 'react';
import { firstMove } from './first-move';
import { lazyPart } from './lazy-part';

/** A dialog or drawer that is fetched with the reader's first move. Once opened it stays, so that it can close by its own motion. */
export function lazyDialog<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isOpen: (props: P) => boolean,
): ComponentType<P> {
  const Dialog = lazyPart(load);
  return function LazyDialog(props) {
    const [wasOpened, setWasOpened] = useState(false);
    const opens = isOpen(props);
    if (opens && !wasOpened) setWasOpened(true);
    useEffect(() => {
      let isGone = false;
      void firstMove()
        .then(() => (isGone ? undefined : load()))
        .catch(() => undefined);
      return () => {
        isGone = true;
      };
    }, []);
    return wasOpened ? (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    ) : null;
  };
}
