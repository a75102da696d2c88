import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ANSWER_PAIRS, answerTo } from '../support/answer-pairs.js';
import { documentsIn } from '../support/gather-streams.js';
import { answers } from '../support/random-answers/answered.js';
import { faultsOf, PUBLISHED } from '../support/schemas/check-schema.js';
import { geminiFaults } from '../support/schemas/gemini.js';
import { list, object, text, type Json } from '../support/strict-vendors/story.js';

interface Rules {
  readonly whole: (answer: Json) => readonly string[];
  readonly event: (event: Json) => readonly string[];
}

/** By the client API's format. */
const RULES: Readonly<Record<string, Rules>> = {
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
    whole: (answer) => faultsOf(PUBLISHED.messages, 'Message', answer),
    event: (event) => faultsOf(PUBLISHED.messages, 'MessageStreamEvent', event),
  },
  'gemini-generate': { whole: geminiFaults, event: geminiFaults },
};

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

describe('answers and events are what their API’s vendor says they are', () => {
  it.each(ANSWER_PAIRS)('$name', async (pair) => {
    const rules = RULES[pair.frontId];
    if (rules === undefined) throw new Error(`nobody wrote the rules of ${pair.frontId}`);
    await fc.assert(
      fc.asyncProperty(answers, fc.boolean(), async (answered, thoughts) => {
        const whole = object(JSON.parse(await answerTo(pair, answered, { stream: false, thoughts })));
        const stream = await answerTo(pair, answered, { stream: true, thoughts });
        const events = documentsIn(stream);
        expect({ whole: rules.whole(whole) }).toEqual({ whole: [] });
        for (const event of events)
          expect({ type: event['type'], faults: rules.event(event) }).toEqual({
            type: event['type'],
            faults: [],
          });
        for (const name of stream.matchAll(/^event: (.*)$/gm)) expect(text(name[1])).not.toBe('');
      }),
      { numRuns: 25, seed: 27 },
    );
  });
});
