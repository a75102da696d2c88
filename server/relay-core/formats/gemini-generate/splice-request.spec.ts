import { describe, expect, it } from '@jest/globals';
import type { RequestEdits } from '../contract/api-format.js';
import { geminiGenerateBack } from './index.js';
import {
  edits,
  parsed,
  neutralOf,
  back,
  hi,
} from '../../../../test/support/fixtures/gemini-requests.fixture.js';

describe('splicing', () => {
  const splice = (body: unknown, changes: Partial<RequestEdits> = {}, keepsCallIds = true): unknown =>
    JSON.parse(
      geminiGenerateBack({ keepsCallIds, addsSignatures: false })
        .spliceRequest(parsed(body), edits(changes))
        .toString(),
    );

  it('passes bytes untouched', () => {
    const call = parsed({ contents: hi, labels: { a: 'b' } });
    expect(back.spliceRequest(call, edits())).toBe(call.document.bytes);
  });

  it('takes out what would make the call dearer, and lowers the cap [RLY-04]', () => {
    expect(
      splice(
        { contents: hi, serviceTier: 'priority', generationConfig: { temperature: 0, max_output_tokens: 9 } },
        { outputCap: 5 },
      ),
    ).toEqual({
      contents: hi,
      generationConfig: { temperature: 0, maxOutputTokens: 5 },
    });
  });

  it('gives the first turn its role, and a video’s page its type', () => {
    expect(
      splice({ contents: [{ parts: [{ text: 'x' }, { fileData: { fileUri: 'https://youtu.be/abc' } }] }] }),
    ).toEqual({
      contents: [
        {
          role: 'user',
          parts: [{ text: 'x' }, { fileData: { fileUri: 'https://youtu.be/abc', mimeType: 'video/webm' } }],
        },
      ],
    });
  });

  it('reads a part without members as the empty text that the package for Go makes of one', () => {
    const contents = [{ role: 'model', parts: [{ text: 'a' }, {}] }];
    expect(neutralOf({ contents }).messages[0]?.content).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('takes ids of calls out where the vendor refuses them', () => {
    const contents = [
      { role: 'model', parts: [{ functionCall: { id: '1', name: 'f', args: { id: 'stays' } } }] },
      { role: 'user', parts: [{ functionResponse: { id: '1', name: 'f', response: { id: 'stays' } } }] },
    ];
    expect(splice({ contents }, {}, false)).toEqual({
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { id: 'stays' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { id: 'stays' } } }] },
      ],
    });
  });
});
