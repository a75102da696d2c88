import { RULES } from '../../../support/refusing-vendors.js';
import { chatGrammar } from '../../../support/strict-vendors/chat.js';
import { list, refuse, type Json } from '../../../support/strict-vendors/story.js';
import type { StrictGrammar } from '../../../support/strict-vendors/strict-grammar.js';

/** A vendor of the chat format that refuses with its own errors what OpenAI takes. */
export interface LookAlike {
  readonly type: number;
  readonly model: string;
  /** Rules that its models do not have. */
  readonly lacks: readonly string[];
  /** Members of other vendors in a message are ignored, as servers of open models do; else refused. */
  readonly isLenient: boolean;
}

export const LOOK_ALIKES: readonly LookAlike[] = [
  { type: 53, model: 'deepseek-ai/DeepSeek-V4', lacks: [], isLenient: true },
  // Only its reasoning models want thoughts back, and these of their own.
  { type: 42, model: 'mistral-large-latest', lacks: ['thoughts of the round'], isLenient: false },
];

/** Its messages in the form of the grammar: thoughts in parts, or blank where another vendor had none, and the older name of the cap. */
function asChat({ max_tokens: cap, ...body }: Json, isLenient: boolean): Json {
  const messages = list(body['messages']).map((message) => {
    const { reasoning_content: thoughts, ...rest } = isLenient ? withoutOthersMembers(message) : message;
    const content = list(message['content']);
    const spoken = content.filter(({ type }) => type !== 'thinking');
    const isSplit = spoken.length < content.length;
    const words = spoken.map((part) => String(part['text'])).join('');
    return {
      ...rest,
      ...(thoughts === undefined || thoughts === ' ' ? {} : { reasoning_content: thoughts }),
      ...(isSplit ? { content: words === '' ? null : words } : {}),
    };
  });
  return { ...body, messages, ...(cap === undefined ? {} : { max_completion_tokens: cap }) };
}

function withoutOthersMembers({ reasoning_details: _details, ...message }: Json): Json {
  if (message['tool_calls'] === undefined) return message;
  const calls = list(message['tool_calls']).map(({ extra_content: _signature, ...call }) => call);
  return { ...message, tool_calls: calls };
}

export function refusingGrammar({ type, model, lacks, isLenient }: LookAlike): StrictGrammar {
  const chat = chatGrammar(true);
  const rules = Object.entries(RULES).filter(([name]) => !lacks.includes(name));
  return {
    ...chat,
    understand: (body, request, story) => {
      for (const [, rule] of rules) {
        const refusal = rule({ type, model, isOpenai: false, body });
        if (refusal !== undefined) refuse(refusal);
      }
      return chat.understand(asChat(body, isLenient), request, story);
    },
  };
}
