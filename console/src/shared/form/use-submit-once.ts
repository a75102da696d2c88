import { useCallback, useRef, type FormEvent } from 'react';

/**
 * Sends a form once at a time, however quickly Enter is pressed again: a button shows only after the next paint that it waits.
 * @param send  settles when the form was sent, or was refused
 */
export function useSubmitOnce<Event extends FormEvent>(
  send: (event?: Event) => Promise<void>,
): (event?: Event) => Promise<void> {
  const isSending = useRef(false);
  return useCallback(
    async (event?: Event) => {
      event?.preventDefault();
      if (isSending.current) return;
      isSending.current = true;
      try {
        await send(event);
      } finally {
        isSending.current = false;
      }
    },
    [send],
  );
}
