import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { useConfirm } from '../dialog/confirm';

interface Address {
  readonly pathname: string;
  readonly search: string;
}

/** Place of typed values: they are kept as long as this stays the same. */
export type Place = (address: Address) => string;

const ofPath: Place = ({ pathname }) => pathname;
/** For what the search of the address opens and closes. */
export const ofAddress: Place = ({ pathname, search }) => pathname + search;

interface Guard {
  readonly place: Place;
  readonly isReleased: () => boolean;
}

/** Everything on the page that has something to lose. */
const guards = new Set<Guard>();

const losesSomething = ({
  currentLocation,
  nextLocation,
}: Record<'currentLocation' | 'nextLocation', Address>) =>
  [...guards].some(
    ({ place, isReleased }) => !isReleased() && place(currentLocation) !== place(nextLocation),
  );

/**
 * Asks before typed values are lost: by closing, by navigating within the console, by leaving the page.
 * @param unsaved  whether there is something to lose right now
 * @param place  a constant function; the path unless said otherwise
 */
export function useUnsavedGuard(unsaved: boolean, place: Place = ofPath): { mayLeave(): Promise<boolean> } {
  const ask = useDiscardQuestion();
  const released = useRef(false);

  useEffect(() => {
    if (!unsaved) {
      released.current = false;
      return;
    }
    const guard: Guard = { place, isReleased: () => released.current };
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    guards.add(guard);
    window.addEventListener('beforeunload', warn);
    return () => {
      guards.delete(guard);
      window.removeEventListener('beforeunload', warn);
    };
  }, [unsaved, place]);

  const mayLeave = useCallback(async () => {
    if (!unsaved) return true;
    released.current = await ask();
    return released.current;
  }, [ask, unsaved]);
  return { mayLeave };
}

/** Asks for all guards of the page together, since the router listens to one blocker only. Mounted once, around all pages. */
export function useLeaveQuestion(): void {
  const ask = useDiscardQuestion();
  const blocker = useBlocker(losesSomething);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void ask().then((yes) => (yes ? blocker.proceed() : blocker.reset()));
  }, [blocker, ask]);
}

function useDiscardQuestion(): () => Promise<boolean> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return useCallback(
    () =>
      confirm({
        title: t('common.unsaved.title'),
        consequence: t('common.unsaved.consequence'),
        action: t('common.unsaved.discard'),
        danger: true,
      }),
    [confirm, t],
  );
}
