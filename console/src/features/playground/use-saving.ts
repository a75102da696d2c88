import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserId } from '../../api/current-user';
import { toast } from '../../shared/feedback/toast';
import { noteConversations } from '../../shared/session/kept-conversations';
import type { ChatSettings } from './chat/chat-settings';
import type { Lane } from './chat/lane';
import type { ReceiptBook } from './chat/receipt-book';
import type { Conversation } from './store/conversation';
import type { ConversationStore } from './store/conversation-store';
import { titleOf } from './store/new-conversation';

/** So much of an arriving answer may be lost when the page is left without notice. */
const SAVED_EVERY_MS = 400;
/** A conversation with large files takes long to save, and gets this many times as long between two savings. */
const REST_FACTOR = 10;
const MAX_WAIT_MS = 5000;

interface Saved {
  readonly id: string;
  readonly lanes: readonly Lane[];
  readonly settings: ChatSettings;
  readonly receipts: ReceiptBook;
}

export const conversationOf = ({ id, lanes, settings, receipts }: Saved): Conversation => {
  const stored = lanes.map((lane) => ({ id: lane.id, model: lane.model, tree: lane.versions() }));
  return {
    id,
    title: titleOf(stored),
    updatedAtMs: Date.now(),
    settings,
    lanes: stored,
    receipts: receipts.all(),
  };
};

/** Keeps a conversation as it goes on. @returns a function that announces a change */
export function useSaving(store: ConversationStore | undefined, saved: Saved): () => void {
  const { t } = useTranslation();
  const [userId] = useState(currentUserId);
  const present = useRef(saved);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTooLarge = useRef(false);
  const tookMs = useRef(0);
  useEffect(() => {
    present.current = saved;
  });
  const save = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const startedMs = performance.now();
    const conversation = conversationOf(present.current);
    if (store === undefined || conversation.title === '') return;
    const isKept = await store.save(conversation);
    tookMs.current = performance.now() - startedMs;
    // The account may have signed out meanwhile, and its conversations may be gone.
    if (isKept && currentUserId() === userId) noteConversations(userId);
    else if (!isTooLarge.current) toast('warning', t('playground.history.tooLarge'));
    isTooLarge.current = !isKept;
  }, [store, userId, t]);
  const announce = useCallback(() => {
    const waitMs = Math.min(Math.max(SAVED_EVERY_MS, tookMs.current * REST_FACTOR), MAX_WAIT_MS);
    timer.current ??= setTimeout(() => void save(), waitMs);
  }, [save]);
  useEffect(() => {
    const leave = () => {
      if (timer.current !== undefined) void save();
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [save]);
  return announce;
}
