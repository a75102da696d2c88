import Anthropic from '@anthropic-ai/sdk';
import type { Session, Told } from './session.js';
import {
  FIRST_QUESTION,
  FORM_SCHEMA,
  FORM_TURN,
  LOOKUP_SCHEMA,
  nextQuestion,
  OUTPUT_CAP,
  PICTURE,
  resultOf,
  SYSTEM,
} from '../../../support/strict-vendors/story.js';

export const messagesSession: Session = async ({ url, key, model, modelAt, isStreamed }) => {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
  const ask = (words: string): Anthropic.MessageParam => ({
    role: 'user',
    content: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
      { type: 'text', text: words, cache_control: { type: 'ephemeral' } },
    ],
  });
  const messages: Anthropic.MessageParam[] = [ask(FIRST_QUESTION)];
  const told: Told[] = [];
  for (let turn = 0; turn <= FORM_TURN; turn += 1) {
    const body: Anthropic.MessageCreateParamsNonStreaming = {
      model: modelAt?.(turn) ?? model,
      max_tokens: OUTPUT_CAP,
      system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      tools: [
        {
          name: 'lookup',
          description: 'Weather of days',
          input_schema: { ...LOOKUP_SCHEMA, required: [...LOOKUP_SCHEMA.required] },
        },
        { name: 'now', description: 'The time', input_schema: { type: 'object', properties: {} } },
      ],
      messages,
      ...(turn === FORM_TURN
        ? { output_config: { format: { type: 'json_schema', schema: { ...FORM_SCHEMA } } } }
        : {}),
    };
    const message = isStreamed
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);
    const textOf = (type: 'text' | 'thinking'): string =>
      message.content
        .map((block) =>
          block.type !== type
            ? ''
            : block.type === 'text'
              ? block.text
              : block.type === 'thinking'
                ? block.thinking
                : '',
        )
        .join('');
    const uses = message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    const { usage } = message;
    const cached = usage.cache_read_input_tokens ?? 0;
    told.push({
      text: textOf('text'),
      thought: textOf('thinking'),
      calls: uses.map(({ name, input }) => ({ name, args: input })),
      usage: [
        usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
        cached,
        usage.output_tokens,
      ],
      reason: message.stop_reason ?? '',
    });
    messages.push({ role: 'assistant', content: message.content });
    if (uses.length === 0) {
      // A cache mark stands at the newest question only: four at most are allowed.
      for (const { content } of messages)
        if (typeof content !== 'string')
          for (const block of content) if (block.type === 'text') delete block.cache_control;
      messages.push(ask(nextQuestion(turn)));
    } else
      messages.push({
        role: 'user',
        content: uses.map((use) => ({
          type: 'tool_result',
          tool_use_id: use.id,
          content: [{ type: 'text', text: resultOf(use.name, use.input) }],
        })),
      });
  }
  return told;
};
