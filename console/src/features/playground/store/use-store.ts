import { useEffect, useState } from 'react';
import { currentUserId } from '../../../api/current-user';
import { storedValue } from '../../../shared/browser/stored';
import { useStored } from '../../../shared/browser/use-stored';
import { ConversationStore } from './conversation-store';

/** The reader's switch: this browser keeps conversations. */
export const storedKeeping = storedValue<'true' | 'false'>({
  key: 'playground-keep',
  parse: (text) => (text === 'true' || text === 'false' ? text : undefined),
  fallback: 'true',
  form: 'text',
});

export interface KeptConversations {
  /** The browser has opened the store or refused it. */
  readonly isReady: boolean;
  /** Absent while nothing is kept. */
  readonly store: ConversationStore | undefined;
  /** The browser can keep conversations at all. */
  readonly isPossible: boolean;
  readonly isKeeping: boolean;
}

/** The store of the signed-in account. */
export function useKeptConversations(): KeptConversations {
  const isKeeping = useStored(storedKeeping) === 'true';
  const userId = currentUserId();
  const [opened, setOpened] = useState<{ readonly store: ConversationStore | undefined }>();
  useEffect(() => {
    let store: ConversationStore | undefined;
    let isLeft = false;
    void ConversationStore.open(userId).then((found) => {
      store = found;
      if (isLeft) found?.close();
      else setOpened({ store: found });
    });
    return () => {
      isLeft = true;
      store?.close();
    };
  }, [userId]);
  return {
    isReady: opened !== undefined,
    store: isKeeping ? opened?.store : undefined,
    isPossible: opened?.store !== undefined,
    isKeeping,
  };
}
