import { Suspense, useEffect, useState, type ComponentType } from 'react';
import { lazyPart } from './lazy-part';

/** So long after the page is shown, what it may open is fetched, so that a click need not wait. */
const AHEAD_MS = 500;

/** A dialog or drawer that is fetched after its page. Once opened it stays, so that it can close by its own motion. */
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
      const timer = setTimeout(() => void load().catch(() => undefined), AHEAD_MS);
      return () => clearTimeout(timer);
    }, []);
    return wasOpened ? (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    ) : null;
  };
}
