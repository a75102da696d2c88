import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../../framing/json-splice.js';
import { chatTools, geminiTools, messagesTools, responsesTools } from './vendor-tools.js';

const scan = (document: unknown) => {
  const scanned = scanObject(Buffer.from(JSON.stringify(document)));
  if (typeof scanned === 'string') throw new Error(scanned);
  return scanned;
};

describe('tools a vendor runs and charges for', () => {
  it('finds those of a Responses request, with their size and the limit of the call', () => {
    const document = scan({
      tools: [
        { type: 'web_search_preview', search_context_size: 'high' },
        { type: 'file_search', vector_store_ids: ['v'] },
        { type: 'image_generation' },
        { type: 'function', name: 'web_search' },
      ],
    });
    expect(responsesTools(document, 7)).toEqual({
      vendorTools: [
        { name: 'web-search', priceKey: 'web_search_preview', contextSize: 'high', mostUses: 7 },
        { name: 'file-search', mostUses: 7 },
        { name: 'image-generation', mostUses: 2 },
      ],
    });
    expect(responsesTools(scan({ tools: [{ type: 'web_search' }] }), undefined)).toEqual({
      vendorTools: [{ name: 'web-search' }],
    });
  });

  it('takes a function of the caller for what it is, whatever it is called', () => {
    const own = { tools: [{ type: 'function', function: { name: 'web_search', parameters: {} } }] };
    expect(responsesTools(scan(own), undefined)).toEqual({});
    expect(messagesTools(scan({ tools: [{ name: 'web_search', input_schema: {} }] }))).toEqual({});
    expect(geminiTools(scan({ tools: [{ functionDeclarations: [{ name: 'googleSearch' }] }] }))).toEqual({});
  });

  it('finds server tools of a Messages request, each with its own limit', () => {
    const tools = [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      { type: 'code_execution_20250825', name: 'code_execution' },
      { name: 'mine', input_schema: { type: 'object' } },
    ];
    expect(messagesTools(scan({ tools }))).toEqual({
      vendorTools: [{ name: 'web-search', mostUses: 3 }, { name: 'code-execution' }],
    });
  });

  it("finds Google's search, old name or new, paid once per answer", () => {
    const once = { vendorTools: [{ name: 'web-search', priceKey: 'google_search', mostUses: 1 }] };
    expect(geminiTools(scan({ tools: [{ googleSearch: {} }] }))).toEqual(once);
    expect(geminiTools(scan({ tools: [{ google_search_retrieval: {} }] }))).toEqual(once);
    expect(geminiTools(scan({}))).toEqual({});
  });

  it('finds the search of a chat request', () => {
    const asked = scan({ web_search_options: { search_context_size: 'low' } });
    expect(chatTools(asked)).toEqual({
      vendorTools: [{ name: 'web-search', mostUses: 1, contextSize: 'low' }],
    });
    expect(chatTools(scan({ web_search_options: null }))).toEqual({});
    expect(chatTools(scan({ messages: [] }))).toEqual({});
  });
});
