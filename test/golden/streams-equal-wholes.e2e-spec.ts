import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ANSWER_PAIRS, ANSWERING_FORMATS, answerTo, API_NAMES } from '../support/answer-pairs.js';
import { CHAT_APIS, CHAT_FORMATS } from '../support/chat-formats.js';
import { GATHERED, joinParts } from '../support/gather-streams.js';
import { answers } from '../support/random-answers/answered.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

it('every client API and every format is here', () => {
  expect(Object.keys(API_NAMES).sort()).toEqual(CHAT_APIS.map(({ id }) => id).sort());
  expect(Object.keys(ANSWERING_FORMATS).sort()).toEqual(CHAT_FORMATS.map(({ id }) => id).sort());
});

/** Normalises content that has two equal forms. */
const PLAIN: Readonly<Record<string, (answer: Json) => unknown>> = {
  'openai-chat': ({ choices, ...rest }) => ({
    ...rest,
    choices: list(choices).map(({ message, ...choice }) => ({
      ...choice,
      message: present(object(message)),
    })),
  }),
  // The key of a signature that was kept aside is another one each time.
  'anthropic-messages': (answer) =>
    JSON.parse(JSON.stringify(answer).replaceAll(/-kept-[\w-]{16}/g, '-kept-key')) as unknown,
  'gemini-generate': ({ candidates, ...rest }) => ({
    ...rest,
    candidates: list(candidates).map(({ content, groundingMetadata, ...candidate }) => ({
      ...candidate,
      // Search results are returned by Google's own bytes only.
      chunks: object(groundingMetadata)['groundingChunks'],
      supports: object(groundingMetadata)['groundingSupports'],
      parts: joinParts(list(object(content)['parts'])),
    })),
  }),
};

/** Members that hold something; of entries of reasoning their signatures, since their words stand in `reasoning_content` too. */
function present(message: Json): Json {
  const { reasoning_details: details, ...rest } = message;
  const signatures = list(details).flatMap(({ signature, data, id }) =>
    signature === undefined && data === undefined ? [] : [{ signature, data, id }],
  );
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== '')),
    signatures,
  };
}

describe('a stream adds up to the whole answer', () => {
  it.each(ANSWER_PAIRS)('$name', async (pair) => {
    await fc.assert(
      fc.asyncProperty(answers, fc.boolean(), async (answered, thoughts) => {
        const whole = object(JSON.parse(await answerTo(pair, answered, { stream: false, thoughts })));
        const streamed =
          GATHERED[pair.frontId]?.(await answerTo(pair, answered, { stream: true, thoughts })) ?? {};
        const plain = PLAIN[pair.frontId] ?? ((answer: Json): unknown => answer);
        expect(plain(streamed)).toEqual(plain(whole));
      }),
      { numRuns: 40, seed: 27 },
    );
  });
});
