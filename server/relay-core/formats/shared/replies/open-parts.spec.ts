import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../../model/stream-event.js';
import { OpenParts } from './one-answer-reader.js';

const eventsOf = (script: (parts: OpenParts, events: StreamEvent[]) => void, growsTogether = false) => {
  const events: StreamEvent[] = [];
  script(new OpenParts(growsTogether), events);
  return events.map((event) => {
    const { type, block } = event as { readonly type: string; readonly block: number };
    const said = 'text' in event ? event.text : 'json' in event ? event.json : '';
    return `${block} ${type} ${said}`.trim();
  });
};

describe('parts of a streamed answer', () => {
  it('ends a part when one of another kind begins, and gives each a number of its own', () => {
    const events = eventsOf((parts, all) => {
      parts.addText('reasoning', 'Hm', all);
      parts.addText('reasoning', '.', all);
      parts.addText('text', undefined, all);
      parts.addText('text', 'Rain', all);
      parts.beginCall('call 0', { callId: 'c', name: 'weather' }, all);
      parts.input('call 0', '{"a":1}', all);
      parts.closeAll(all);
      parts.closeAll(all);
    });
    expect(events).toEqual([
      '0 reasoning-delta Hm',
      '0 reasoning-delta .',
      '0 block-end',
      '1 text-delta Rain',
      '1 block-end',
      '2 tool-input-start',
      '2 tool-input-delta {"a":1}',
      '2 block-end',
    ]);
  });

  it('gives a tool without arguments, and an answer that came as an empty one, an empty object', () => {
    const events = eventsOf((parts, all) => {
      parts.beginCall(0, { callId: 'c', name: 'now' }, all);
      parts.begin(1, 'text', all, true);
      parts.closeAll(all);
    });
    expect(events).toEqual([
      '0 tool-input-start',
      '0 tool-input-delta {}',
      '0 block-end',
      '1 text-delta {}',
      '1 block-end',
    ]);
  });

  it('keeps parts that grow together open until each is closed', () => {
    const events = eventsOf((parts, all) => {
      parts.addText('text', 'a', all, 0);
      parts.beginCall(1, { callId: 'c', name: 'now' }, all);
      parts.addText('text', 'b', all, 0);
      parts.input(1, '{}', all);
      parts.input(0, 'words take no input', all);
      parts.close(0, all);
      parts.addText('text', 'c', all, 0);
      parts.closeAll(all);
    }, true);
    expect(events).toEqual([
      '0 text-delta a',
      '1 tool-input-start',
      '0 text-delta b',
      '1 tool-input-delta {}',
      '0 block-end',
      '2 text-delta c',
      '1 block-end',
      '2 block-end',
    ]);
  });
});
