import type OpenAI from 'openai';
import { list, object, text, type Json } from '../../../support/strict-vendors/story.js';

type Growing = Record<string, unknown>;

/** Joins a stream of chunks to one completion, undeclared members included: texts joined, calls by their index. */
export async function joinChunks(
  stream: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>,
): Promise<OpenAI.Chat.ChatCompletion> {
  const message: Growing = { role: 'assistant', content: null, refusal: null };
  const calls: Growing[] = [];
  const details: Json[] = [];
  let finish: OpenAI.Chat.ChatCompletion.Choice['finish_reason'] | null = null;
  let last: OpenAI.Chat.ChatCompletionChunk | undefined;
  let usage: OpenAI.CompletionUsage | undefined;
  for await (const chunk of stream) {
    last = chunk;
    usage = chunk.usage ?? usage;
    const choice = chunk.choices[0];
    if (choice === undefined) continue;
    finish = choice.finish_reason ?? finish;
    for (const [name, value] of Object.entries(choice.delta)) {
      if (name === 'tool_calls') for (const piece of list(value)) growCall(calls, piece);
      else if (name === 'reasoning_details') details.push(...list(value));
      else if (name !== 'role' && typeof value === 'string') message[name] = text(message[name]) + value;
    }
  }
  if (last === undefined || finish === null) throw new Error('the stream said nothing');
  if (message['content'] === '') message['content'] = null;
  return {
    id: last.id,
    object: 'chat.completion',
    created: last.created,
    model: last.model,
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason: finish,
        message: {
          ...message,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
          ...(details.length === 0 ? {} : { reasoning_details: details }),
        } as unknown as OpenAI.Chat.ChatCompletionMessage,
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  };
}

function growCall(calls: Growing[], piece: Json): void {
  const { index, function: made, ...rest } = piece;
  const at = Number(index);
  const call = (calls[at] ??= { function: { name: '', arguments: '' } });
  Object.assign(call, rest);
  const grown = object(call['function']);
  const more = object(made);
  call['function'] = {
    name: text(grown['name']) + text(more['name']),
    arguments: text(grown['arguments']) + text(more['arguments']),
  };
}
