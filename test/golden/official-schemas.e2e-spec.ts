import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWER_PAIRS, answerTo } from '../support/answer-pairs.js';
import { documentsIn } from '../support/gather-streams.js';
import { answers } from '../support/random-answers/answered.js';
import { ANSWER_RULES } from '../support/schemas/answer-rules.js';
import { LEFT_OUT_MEMBERS, nullsNeverSent } from '../support/schemas/left-out-members.js';
import { object, text } from '../support/strict-vendors/story.js';

describe('answers and events match the schema of their API’s vendor', () => {
  it.each(ANSWER_PAIRS)('$name', async (pair) => {
    const rules = ANSWER_RULES[pair.frontId];
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

describe('members that a schema requires and the vendor never sends', () => {
  it('has none of them as null in a recording kept here', () => {
    const folder = join(import.meta.dirname, '../replay/recordings/anthropic');
    const documents = readdirSync(folder).flatMap((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').trim();
      return (name.endsWith('.json') ? [lines] : lines.split('\n')).map((line): unknown => JSON.parse(line));
    });
    expect(documents.length).toBeGreaterThan(50);
    expect(documents.flatMap((document) => nullsNeverSent(document))).toEqual([]);
  });

  it('names each once, with the recordings it was counted over', () => {
    const paths = LEFT_OUT_MEMBERS.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { recorded, withValue } of LEFT_OUT_MEMBERS) expect(recorded).toBeGreaterThan(withValue);
  });
});
