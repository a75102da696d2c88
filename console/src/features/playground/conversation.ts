/** How far an answer has come. */
export type MessageState = 'loading' | 'incomplete' | 'complete' | 'error';

export interface Message {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** What the model thought before it answered. */
  readonly reasoning: string;
  readonly state: MessageState;
}

export type ConversationAct =
  | { readonly type: 'ask'; readonly text: string }
  | { readonly type: 'content' | 'reasoning'; readonly text: string }
  | { readonly type: 'end' }
  /** @param text  the event or the refusal, which is shown behind what came */
  | { readonly type: 'fail'; readonly text: string }
  | { readonly type: 'clear' };

const said = (id: number, role: Message['role'], content: string): Message => ({
  id,
  role,
  content,
  reasoning: '',
  state: 'complete',
});

/** What a conversation begins with. */
export const greeting = (user: string, assistant: string): readonly Message[] => [
  said(1, 'user', user),
  said(2, 'assistant', assistant),
];

/** One conversation after one thing that happened in it. Pure. */
export function converse(messages: readonly Message[], act: ConversationAct): readonly Message[] {
  switch (act.type) {
    case 'ask': {
      const id = (messages.at(-1)?.id ?? 0) + 1;
      return [
        ...messages,
        said(id, 'user', act.text),
        { ...said(id + 1, 'assistant', ''), state: 'loading' },
      ];
    }
    case 'content':
      return changeLast(messages, (last) => ({
        ...last,
        content: last.content + act.text,
        state: 'incomplete',
      }));
    case 'reasoning':
      return changeLast(messages, (last) => ({
        ...last,
        reasoning: last.reasoning + act.text,
        state: 'incomplete',
      }));
    case 'end':
      return changeLast(messages, (last) => ({ ...last, state: 'complete' }));
    case 'fail':
      return changeLast(messages, (last) => ({
        ...last,
        content: last.content === '' ? act.text : `${last.content}\n\n${act.text}`,
        state: 'error',
      }));
    case 'clear':
      return [];
  }
}

/** Of the answer under way; one that is over stays as it is. */
function changeLast(messages: readonly Message[], change: (last: Message) => Message): readonly Message[] {
  const last = messages.at(-1);
  if (last === undefined || last.state === 'complete' || last.state === 'error') return messages;
  return [...messages.slice(0, -1), change(last)];
}

export interface ChatSettings {
  /** Empty = the account's own. */
  readonly group: string;
  readonly model: string;
  readonly temperature: number;
  /** 0 = the model's own limit. */
  readonly maxTokens: number;
  readonly systemPrompt: string;
}

/** What is sent: everything that was said and came whole, in a row. */
export const chatRequest = (messages: readonly Message[], settings: ChatSettings, text: string) => ({
  model: settings.model,
  group: settings.group,
  stream: true,
  temperature: settings.temperature,
  max_tokens: settings.maxTokens,
  messages: [
    ...(settings.systemPrompt.trim() === '' ? [] : [{ role: 'system', content: settings.systemPrompt }]),
    ...messages
      .filter(({ state, content }) => state === 'complete' && content !== '')
      .map(({ role, content }) => ({ role, content })),
    { role: 'user', content: text },
  ],
});
