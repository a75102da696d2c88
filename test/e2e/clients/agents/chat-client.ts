import OpenAI from 'openai';
import type { Place, Session, Told } from './session.js';
import { joinChunks } from './join-chunks.js';
import {
  DATA_LINK,
  EMPTY_SCHEMA,
  FIRST_QUESTION,
  FORM_SCHEMA,
  FORM_TURN,
  LOOKUP_SCHEMA,
  nextQuestion,
  OUTPUT_CAP,
  resultOf,
  SYSTEM,
} from '../../../support/strict-vendors/story.js';

const chatTools: OpenAI.Chat.ChatCompletionFunctionTool[] = [
  {
    type: 'function',
    function: { name: 'lookup', description: 'Weather of days', parameters: LOOKUP_SCHEMA, strict: true },
  },
  { type: 'function', function: { name: 'now', description: 'The time', parameters: EMPTY_SCHEMA } },
];

/** Streams are put together by the package's own helper, which keeps only the last of what it does not know. */
export const chatSession: Session = (place) =>
  converse(place, (client, body) => client.chat.completions.stream(body).finalChatCompletion());

/** Streams are put together by a loop that keeps everything, as agents do. */
export const chatLoopSession: Session = (place) =>
  converse(place, async (client, body) =>
    joinChunks(await client.chat.completions.create({ ...body, stream: true })),
  );

type Body = Omit<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, 'stream'>;
type Stream = (client: OpenAI, body: Body) => Promise<OpenAI.Chat.ChatCompletion>;

async function converse(
  { url, key, model, modelAt, isStreamed }: Place,
  stream: Stream,
): Promise<readonly Told[]> {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const ask = (words: string): OpenAI.Chat.ChatCompletionUserMessageParam => ({
    role: 'user',
    content: [
      { type: 'text', text: words },
      { type: 'image_url', image_url: { url: DATA_LINK } },
    ],
  });
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    ask(FIRST_QUESTION),
  ];
  const told: Told[] = [];
  for (let turn = 0; turn <= FORM_TURN; turn += 1) {
    const body = {
      model: modelAt?.(turn) ?? model,
      messages,
      tools: chatTools,
      max_completion_tokens: OUTPUT_CAP,
      reasoning_effort: 'low' as const,
      ...(turn === FORM_TURN
        ? {
            response_format: {
              type: 'json_schema' as const,
              json_schema: { name: 'place', schema: FORM_SCHEMA, strict: true },
            },
          }
        : {}),
    };
    const completion = isStreamed
      ? await stream(client, { ...body, stream_options: { include_usage: true } })
      : await client.chat.completions.create(body);
    const choice = completion.choices[0];
    if (choice === undefined) throw new Error('no choice');
    const { message, finish_reason: reason } = choice;
    const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
    const { usage } = completion;
    told.push({
      text: message.content ?? '',
      thought: 'reasoning_content' in message ? String(message.reasoning_content) : '',
      calls: calls.map(({ function: made }) => ({
        name: made.name,
        args: JSON.parse(made.arguments) as unknown,
      })),
      usage: [
        usage?.prompt_tokens ?? -1,
        usage?.prompt_tokens_details?.cached_tokens ?? -1,
        usage?.completion_tokens ?? -1,
      ],
      reason,
    });
    // Same as the package's own guide: the message goes back as it came.
    messages.push(message);
    for (const call of calls)
      messages.push({
        role: 'tool',
        tool_call_id: call.id,
        content: resultOf(call.function.name, JSON.parse(call.function.arguments)),
      });
    if (calls.length === 0) messages.push(ask(nextQuestion(turn)));
  }
  return told;
}
