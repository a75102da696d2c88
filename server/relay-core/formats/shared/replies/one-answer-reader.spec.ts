import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../../model/stream-event.js';
import type { Document } from '../fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from './one-answer-reader.js';

class WordsReader extends OneAnswerReader {
  protected override head(frame: Document): ReplyHead {
    return { id: String(frame['id'] ?? '') };
  }

  protected override frame(frame: Document, events: StreamEvent[], name: string): void {
    if (typeof frame['text'] === 'string') this.parts.addText('text', frame['text'], events);
    this.report(frame['usage'] === 'broken' ? 'invalid' : undefined, events);
    if (name === 'end') this.end({ unified: 'stop', raw: 'end' }, events);
  }
}

const typesOf = (events: readonly StreamEvent[]): string[] => events.map(({ type }) => type);

describe('OneAnswerReader', () => {
  it('begins once, with the members of the first frame', () => {
    const reader = new WordsReader();
    expect(reader.read('{"id":"r1","text":"a"}')[0]).toEqual({
      type: 'reply-start',
      id: 'r1',
      servedModel: '',
    });
    expect(typesOf(reader.read('{"id":"r2","text":"b"}'))).toEqual(['text-delta']);
  });

  it.each(['', '[DONE]', '{', 'null', '[1]'])('passes over the frame %j', (data) => {
    const reader = new WordsReader();
    expect(reader.read(data)).toEqual([]);
    expect(typesOf(reader.read('{}'))).toEqual(['reply-start']);
  });

  it('passes on no figures that cannot be true', () => {
    expect(typesOf(new WordsReader().read('{"usage":"broken"}'))).toEqual(['reply-start']);
  });

  it('ends once, for the reason the vendor gave, and reads nothing behind it', () => {
    const reader = new WordsReader();
    reader.read('{"text":"a"}');
    expect(typesOf(reader.read('{}', 'end'))).toEqual(['choice-end']);
    expect(reader.finish()).toEqual([
      { type: 'block-end', block: 0, choice: 0 },
      { type: 'reply-end', finish: { unified: 'stop', raw: 'end' } },
    ]);
    expect(reader.finish()).toEqual([]);
    expect(reader.read('{"text":"late"}')).toEqual([]);
  });

  it('does not make a reason up for a stream that broke off', () => {
    expect(new WordsReader().finish()).toEqual([
      { type: 'reply-end', finish: { unified: 'other', raw: undefined } },
    ]);
  });
});
