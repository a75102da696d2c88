import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { useConfirm } from '../dialog/confirm';

/**
 * Asks before typed values are lost: by closing, by navigating within the console, by leaving the page.
 * @param unsaved  whether there is something to lose right now
 */
export function useUnsavedGuard(unsaved: boolean): { mayLeave(): Promise<boolean> } {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const released = useRef(false);
  useEffect(() => {
    if (!unsaved) released.current = false;
  }, [unsaved]);

  const ask = useCallback(
    () =>
      confirm({
        title: t('common.unsaved.title'),
        consequence: t('common.unsaved.consequence'),
        action: t('common.unsaved.discard'),
        danger: true,
      }),
    [confirm, t],
  );

  const blocker = useBlocker(
    useCallback(
      ({
        currentLocation,
        nextLocation,
      }: {
        currentLocation: { pathname: string };
        nextLocation: { pathname: string };
      }) => unsaved && !released.current && currentLocation.pathname !== nextLocation.pathname,
      [unsaved],
    ),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void ask().then((yes) => (yes ? blocker.proceed() : blocker.reset()));
  }, [blocker, ask]);

  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsaved]);

  const mayLeave = useCallback(async () => {
    if (!unsaved) return true;
    released.current = await ask();
    return released.current;
  }, [ask, unsaved]);
  return { mayLeave };
}
