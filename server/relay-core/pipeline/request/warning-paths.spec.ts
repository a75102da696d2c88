import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { withPaths } from './warning-paths.js';

function documentOf(body: object) {
  const document = scanObject(Buffer.from(JSON.stringify(body)));
  if (typeof document === 'string') throw new Error(document);
  return document;
}

const warning = (setting: string) => ({ setting, reason: 'left out' });
const pathsOf = (body: object, ...settings: readonly string[]): readonly string[] =>
  withPaths(settings.map(warning), documentOf(body)).map(({ setting }) => setting);

describe('withPaths', () => {
  it('names an option of content by its path in the body of the caller', () => {
    const text = { type: 'document', citations: { enabled: true }, context: 'read it' };
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'user', content: [text, text] },
    ];
    expect(pathsOf({ messages }, 'citations', 'context', 'citations')).toEqual([
      'messages.1.content.0.citations',
      'messages.1.content.1.citations',
      'messages.1.content.0.context',
      'messages.1.content.1.context',
    ]);
  });

  it('names an option of a tool by its path, and no member of a schema', () => {
    const tool = { name: 'f', defer_loading: true, input_schema: { properties: { defer_loading: {} } } };
    expect(pathsOf({ tools: [{ name: 'g' }, tool] }, 'defer_loading')).toEqual(['tools.1.defer_loading']);
  });

  it('keeps the name of a setting that it does not find, and of others', () => {
    expect(pathsOf({ messages: [] }, 'seed', 'citations')).toEqual(['seed', 'citations']);
  });

  it('stops at a hundred paths', () => {
    const content = Array.from({ length: 150 }, () => ({ citations: {} }));
    expect(pathsOf({ messages: [{ content }] }, 'citations')).toHaveLength(100);
  });
});
