import { useMutation } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../shared/feedback/describe-error';
import { type ChatSettings, chatRequest, converse, greeting, type Message } from './conversation';
import { streamChat } from './chat-stream';

export interface PlaygroundChat {
  readonly messages: readonly Message[];
  readonly isAnswering: boolean;
  ask(text: string, settings: ChatSettings): void;
  /** Ends the answer under way; what came of it stays. */
  stop(): void;
  clear(): void;
}

export function usePlaygroundChat(): PlaygroundChat {
  const { t } = useTranslation();
  const [messages, tell] = useReducer(converse, null, () =>
    greeting(t('playground.greeting.user'), t('playground.greeting.assistant')),
  );
  const running = useRef<AbortController | null>(null);
  const send = useMutation({
    mutationFn: ({ text, settings }: { text: string; settings: ChatSettings }) => {
      const controller = new AbortController();
      running.current = controller;
      const body = chatRequest(messages, settings, text);
      tell({ type: 'ask', text });
      return streamChat(body, tell, controller.signal);
    },
    onError: (error) => {
      if (running.current?.signal.aborted === true) tell({ type: 'end' });
      else tell({ type: 'fail', text: describeError(error, t) });
    },
    meta: { failure: 'inline' },
  });
  // A page that is left asks for nothing more.
  useEffect(() => () => running.current?.abort(), []);
  const stop = (): void => running.current?.abort();
  return {
    messages,
    isAnswering: send.isPending,
    ask: (text, settings) => send.mutate({ text, settings }),
    stop,
    clear: () => {
      stop();
      tell({ type: 'clear' });
    },
  };
}
