import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { openCall } from '../../api/open-call';
import type { ChatSettings } from './chat/chat-settings';
import { Exchanges } from './chat/exchanges';
import { Lane } from './chat/lane';
import type { MessagePart } from './chat/messages';
import { EMPTY_TREE, withPath } from './chat/versions';
import type { Conversation } from './store/conversation';
import { readDraft, writeDraft } from './store/draft';

/** Models side by side. */
export const MAX_LANES = 4;

/** Calls of this visit, whichever conversation they belong to. */
export const exchanges = new Exchanges();

/** Facts that calls read when they begin or end. */
class CallContext {
  /** Text of the question on its way. */
  question = '';

  constructor(public settings: ChatSettings) {}

  begin(question: string): void {
    this.question = question;
  }

  use(settings: ChatSettings): void {
    this.settings = settings;
  }
}

/** The lanes of one conversation and the calls they make. */
export function useLanes(initial: Conversation, settings: ChatSettings) {
  const client = useQueryClient();
  const [context] = useState(() => new CallContext(settings));
  useEffect(() => context.use(settings), [context, settings]);
  const makeLane = useCallback(
    (parts: Pick<Lane, 'id' | 'model'> & { tree: Conversation['lanes'][number]['tree'] }) =>
      new Lane({
        ...parts,
        exchanges,
        settings: () => context.settings,
        // A mutation, so that an expired session is treated as everywhere else.
        open: async (body, signal) => {
          const call = client.getMutationCache().build(client, {
            mutationFn: () => openCall('/pg/chat/completions', body, signal),
            networkMode: 'always',
            meta: { failure: 'inline' },
          });
          const forgetDraft = () => {
            if (readDraft().trim() === context.question) writeDraft('');
          };
          const response = await call.execute(undefined).catch((error: unknown) => {
            if (!isSignedOut(error)) forgetDraft();
            throw error;
          });
          forgetDraft();
          return response;
        },
      }),
    [client, context],
  );
  const [lanes, setLanes] = useState<readonly Lane[]>(() => initial.lanes.map(makeLane));
  const [, setChanges] = useState(0);
  const shown = useRef(lanes);
  useEffect(() => {
    shown.current = lanes;
  }, [lanes]);
  // A page that is left asks for nothing more.
  useEffect(() => () => shown.current.forEach((lane) => lane.stop()), []);

  /** Prefers an answer; the others of the same turn lose the vote. */
  const vote = useCallback(
    (laneId: string, messageId: string) => {
      const index = lanes
        .find(({ id }) => id === laneId)
        ?.chat.messages.findIndex(({ id }) => id === messageId);
      if (index === undefined) return;
      for (const lane of lanes) {
        const message = lane.chat.messages[index];
        if (message?.role === 'assistant')
          lane.mark(
            message.id,
            message.id === messageId && lane.id === laneId && message.metadata?.isBest !== true,
          );
      }
    },
    [lanes],
  );

  return {
    lanes,
    isAnswering: lanes.some((lane) => lane.isRunning),
    /** Draws what depends on the state of the calls. */
    refresh: useCallback(() => setChanges((count) => count + 1), []),
    ask: (parts: MessagePart[]) => {
      context.begin(parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))[0] ?? '');
      for (const lane of lanes) void lane.ask(parts);
    },
    stop: () => lanes.forEach((lane) => lane.stop()),
    /** Adds a model, which gets the messages of the first. */
    add: (model: string) => {
      const messages = lanes[0]?.chat.messages ?? [];
      const tree = withPath(EMPTY_TREE, messages);
      setLanes([...lanes, makeLane({ id: crypto.randomUUID(), model, tree })]);
    },
    remove: (id: string) => {
      lanes.find((lane) => lane.id === id)?.stop();
      setLanes(lanes.filter((lane) => lane.id !== id));
    },
    clear: useCallback(() => {
      for (const lane of lanes) lane.clear();
    }, [lanes]),
    vote,
  };
}

const isSignedOut = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 401;
