import { list, object, type Json } from '../strict-vendors/story.js';
import { faultsOf, PUBLISHED } from './check-schema.js';
import { geminiFaults } from './gemini.js';
import { isLeftOut, nullsNeverSent } from './left-out-members.js';

interface Rules {
  readonly whole: (answer: Json) => readonly string[];
  readonly event: (event: Json) => readonly string[];
}

/** Published rules of answers and events, by the client API's format. */
export const ANSWER_RULES: Readonly<Record<string, Rules>> = {
  'openai-chat': {
    whole: (answer) => faultsOf(PUBLISHED.chat, 'CreateChatCompletionResponse', answer),
    event: (event) => [
      ...faultsOf(PUBLISHED.chat, 'CreateChatCompletionStreamResponse', event),
      ...list(event['choices']).flatMap(({ delta }) => withoutIndex(object(delta))),
    ],
  },
  'openai-responses': {
    whole: responseFaults,
    event: (event) => [
      ...faultsOf(PUBLISHED.responses, 'ResponseStreamEvent', event),
      ...(event['response'] === undefined ? [] : responseFaults(object(event['response']))),
    ],
  },
  'anthropic-messages': {
    whole: (answer) => messagesFaults('Message', answer),
    event: (event) => messagesFaults('MessageStreamEvent', event),
  },
  'gemini-generate': { whole: geminiFaults, event: geminiFaults },
};

const messagesFaults = (name: string, value: Json): readonly string[] => [
  ...faultsOf(PUBLISHED.messages, name, value).filter((fault) => !isLeftOut(fault)),
  ...nullsNeverSent(value).map((path) => `${path}: null is in no recording`),
];

function responseFaults(response: Json): readonly string[] {
  const { output, tools: _tools, text: _text, ...rest } = response;
  // Other vendors' fields of items are the older document's; what every client needs of the rest is the newer one's.
  return [
    ...faultsOf(PUBLISHED.responses, 'Response', response),
    ...faultsOf(PUBLISHED.openResponses, 'ResponseResource', {
      ...rest,
      output: [],
      tools: [],
      text: { format: { type: 'text' } },
    }),
    ...(Array.isArray(output) ? [] : ['output is no list']),
  ];
}

/** Clients put lists in deltas together by `index`. */
const withoutIndex = (delta: Json): readonly string[] =>
  Object.entries(delta).flatMap(([name, value]) =>
    Array.isArray(value) && list(value).some(({ index }) => !Number.isInteger(index))
      ? [`delta.${name} has no index`]
      : [],
  );
