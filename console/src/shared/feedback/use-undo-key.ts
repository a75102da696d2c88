import { useEffect } from 'react';
import { closeToast, type Toast } from './toast';

/** Takes a toast away and runs its action. The toast is drawn without the button from then on, so the action runs once. */
export function runToastAction({ id, action }: Toast): void {
  closeToast(id);
  action?.run();
}

/** Fields, in which the keys for undo belong to the text. */
const EDITABLE = 'input, textarea, select, [contenteditable="true"]';

/** Ctrl Z (⌘ Z) runs the button of the newest toast that has one, outside of fields. */
export function useUndoKey(shown: readonly Toast[]): void {
  const newest = shown.findLast(({ action }) => action !== undefined);
  useEffect(() => {
    if (newest === undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      const target = event.target instanceof Element ? event.target : null;
      if (!isUndo || event.altKey || event.defaultPrevented || target?.closest(EDITABLE) != null) return;
      event.preventDefault();
      runToastAction(newest);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [newest]);
}
