import { useEffect } from 'react';

/** Ctrl or ⌘ and K opens and closes the command palette. @param toggle  undefined = no account is signed in */
export function usePaletteKey(toggle: (() => void) | undefined): void {
  useEffect(() => {
    if (toggle === undefined) return;
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [toggle]);
}
