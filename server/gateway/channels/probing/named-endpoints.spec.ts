import { describe, expect, it } from '@jest/globals';
import { namedEndpoints } from './channel-probe.service.js';

const PATHS = { responses_path: '/v1/responses', messages_path: '/v1/messages', gemini_path: '/v1beta' };

describe('namedEndpoints', () => {
  it('names a test for each path of the document, in the order of the form', () => {
    const named = (document: unknown) => namedEndpoints({ type: 1, settings: JSON.stringify(document) });
    expect(named(PATHS)).toEqual(['responses', 'messages', 'generate_content']);
    expect(named({ gemini_path: '/v1beta', messages_path: '' })).toEqual(['generate_content']);
    expect(named({ disable_store: true })).toEqual([]);
  });

  it.each([null, '', '[]', 'not json'])('finds none in %j', (settings) => {
    expect(namedEndpoints({ type: 1, settings })).toEqual([]);
  });

  it('finds none for a type that reads no paths', () => {
    expect(namedEndpoints({ type: 14, settings: JSON.stringify(PATHS) })).toEqual([]);
  });
});
