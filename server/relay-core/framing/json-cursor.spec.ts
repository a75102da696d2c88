import { describe, expect, it } from '@jest/globals';
import { JsonCursor, MAX_JSON_DEPTH, MAX_OBJECT_KEYS } from './json-cursor.js';
import { SCAN_FLAGS } from './scan-flags.js';

function over(text: string | Buffer, cursor = new JsonCursor()): JsonCursor {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  cursor.reset(bytes, 0, bytes.length);
  return cursor;
}
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
/** True when the text is one value and nothing behind it. */
function reads(text: string, cursor?: JsonCursor): boolean {
  const walked = over(text, cursor);
  return walked.skipValue() && walked.isAtEnd();
}

const ASSISTANT = SCAN_FLAGS.role | SCAN_FLAGS.assistant;
const BARE = SCAN_FLAGS.textlessTurn | SCAN_FLAGS.bareTurn;

describe('JsonCursor', () => {
  it.each([
    '0',
    '-1.5e300',
    'true',
    'null',
    '""',
    '"\\""',
    '"\\\\"',
    '[]',
    '{}',
    ' \t\r\n[ { } , [ ] ] ',
    '{"":""}',
    '{"a":1,"a":2}',
    '{"__proto__":{"constructor":null}}',
    `"${'y'.repeat(100)}\\\\"`,
    `"${'y'.repeat(100)}\\""`,
    '"漢字 😀"',
  ])('passes %j as one value', (text) => {
    expect(reads(text)).toBe(true);
    expect(reads(text, new JsonCursor(100, true))).toBe(true);
  });

  it.each([
    '',
    ' ',
    'x',
    'tru',
    'trux',
    'nul',
    '"',
    '"\\"',
    `"${'y'.repeat(100)}\\"`,
    '[',
    '{',
    '[1',
    '[1,',
    '[,1]',
    '[1,]',
    '[1 2]',
    '[}',
    '{]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{a:1}',
    '{1:1}',
    '\u00a01',
    '\ufeff1',
  ])('stops at %j as malformed', (text) => {
    for (const cursor of [new JsonCursor(), new JsonCursor(100, true)]) {
      over(text, cursor);
      expect(cursor.skipValue()).toBe(false);
      expect(cursor.fault).toBe('malformed');
      expect([cursor.isAtEnd(), cursor.nextMember(), cursor.nextElement()]).toEqual([false, false, false]);
    }
  });

  it('sees what stands behind a value', () => {
    for (const text of ['1 2', '{}}', '[]x']) {
      const cursor = over(text);
      expect([cursor.skipValue(), cursor.isAtEnd()]).toEqual([true, false]);
    }
  });

  it('takes the deepest nesting there may be, and no deeper', () => {
    expect(reads(nested(MAX_JSON_DEPTH))).toBe(true);
    const cursor = over(nested(MAX_JSON_DEPTH + 1));
    expect([cursor.skipValue(), cursor.fault]).toEqual([false, 'too-deep']);
    const entered = over(nested(MAX_JSON_DEPTH + 1));
    for (let depth = 0; depth < MAX_JSON_DEPTH; depth += 1) {
      expect(entered.enterArray()).toBe(true);
      expect(entered.nextElement()).toBe(true);
    }
    expect([entered.enterArray(), entered.fault]).toEqual([false, 'too-deep']);
  });

  it('accepts the configured number of values, nested ones counted', () => {
    expect(reads('[1,[2],{"a":3}]', new JsonCursor(6))).toBe(true);
    const cursor = over('[1,[2],{"a":3}]', new JsonCursor(5));
    expect([cursor.skipValue(), cursor.fault]).toEqual([false, 'too-many-values']);
  });

  it('takes the most members an object may have, and not one more, on either way through it', () => {
    const members = (count: number): string => `{${Array.from({ length: count }, () => '"k":0').join()}}`;
    expect(reads(members(MAX_OBJECT_KEYS))).toBe(true);
    const skipped = over(members(MAX_OBJECT_KEYS + 1));
    expect([skipped.skipValue(), skipped.fault]).toEqual([false, 'too-many-keys']);
    const walked = over(members(MAX_OBJECT_KEYS + 1));
    walked.enterObject();
    let count = 0;
    while (walked.nextMember() && walked.skipValue()) count += 1;
    expect([count, walked.fault]).toEqual([MAX_OBJECT_KEYS, 'too-many-keys']);
  });

  it('counts members of each object by itself', () => {
    const inner = `{${Array.from({ length: 6_000 }, () => '"k":0').join()}}`;
    expect(reads(`[${inner},${inner}]`)).toBe(true);
  });

  it('starts afresh with each document, also after a fault in the middle of one', () => {
    const cursor = new JsonCursor(10, true);
    over('[[["\\ud800",{"file_id":1', cursor);
    expect([cursor.skipValue(), cursor.hasSurrogates, cursor.scanFlags !== 0]).toEqual([false, true, true]);
    expect(reads('{"a":[1]}', cursor)).toBe(true);
    expect([cursor.fault, cursor.nodes, cursor.hasSurrogates, cursor.scanFlags]).toEqual([null, 3, false, 0]);
    expect(reads(nested(10), cursor)).toBe(true);
  });

  it('reads nothing outside its part of the bytes', () => {
    const bytes = Buffer.from('[1]true"abc"12');
    const cursor = new JsonCursor();
    for (const [start, end, whole] of [
      [0, 3, true],
      [0, 2, false],
      [3, 7, true],
      [3, 6, false],
      [7, 12, true],
      [7, 11, false],
    ] as const) {
      cursor.reset(bytes, start, end);
      expect([cursor.skipValue(), cursor.at <= end]).toEqual([whole, true]);
    }
    const long = Buffer.from(`"${'y'.repeat(60)}"`);
    for (const judges of [false, true]) {
      const other = new JsonCursor(1, judges);
      other.reset(long, 0, long.length - 1);
      expect([other.skipValue(), other.fault]).toEqual([false, 'malformed']);
    }
    cursor.reset(bytes, 12, 13);
    expect([cursor.skipValue(), cursor.at]).toEqual([true, 13]);
  });

  it('finds the end of a string whatever stands before it in memory', () => {
    const whole = Buffer.alloc(256, '"');
    for (let offset = 0; offset < 4; offset += 1)
      for (let length = 0; length < 120; length += 1) {
        whole.fill('"');
        whole.write(`"${'y'.repeat(length)}"`, offset, 'latin1');
        const bytes = whole.subarray(offset, offset + length + 2);
        for (const cursor of [new JsonCursor(), new JsonCursor(1, true)]) {
          cursor.reset(bytes, 0, bytes.length);
          expect([cursor.skipValue(), cursor.at]).toEqual([true, length + 2]);
        }
      }
  });

  it('walks members and elements in their order, and stands behind what it walked', () => {
    const cursor = over(' { "a" : [ 1 , {} ] , "b" : 2 } 7');
    expect(cursor.enterArray()).toBe(false);
    expect(cursor.enterObject()).toBe(true);
    expect([cursor.nextMember(), cursor.keyText()]).toEqual([true, 'a']);
    expect(cursor.enterArray()).toBe(true);
    expect([cursor.nextElement(), cursor.skipValue()]).toEqual([true, true]);
    expect([cursor.nextElement(), cursor.enterObject(), cursor.nextMember()]).toEqual([true, true, false]);
    expect(cursor.nextElement()).toBe(false);
    expect([cursor.nextMember(), cursor.keyText()]).toEqual([true, 'b']);
    expect([cursor.skipValue(), cursor.nextMember(), cursor.fault]).toEqual([true, false, null]);
    expect([cursor.isAtEnd(), cursor.skipValue(), cursor.isAtEnd()]).toEqual([false, true, true]);
  });

  it.each(['[1,]', '[1 2]', '[,1]'])('refuses %s element by element, too', (text) => {
    const cursor = over(text);
    cursor.enterArray();
    while (cursor.nextElement() && cursor.skipValue());
    expect(cursor.fault).toBe('malformed');
  });

  it('compares keys by their bytes, and reports escaped ones', () => {
    const cursor = over('{"a":1,"\\u0061":2,"ab":3,"é":4}');
    const names = ['a', 'ab', 'é'].map((name) => Buffer.from(name));
    cursor.enterObject();
    const seen: unknown[] = [];
    while (cursor.nextMember() && cursor.skipValue())
      seen.push([cursor.keyEscaped, names.filter((name) => cursor.keyIs(name)).map(String)]);
    expect(seen).toEqual([
      [false, ['a']],
      [true, []],
      [false, ['ab']],
      [false, ['é']],
    ]);
    expect([cursor.keyIsOneOf([]), cursor.keyIsOneOf(names)]).toEqual([false, true]);
  });
});

describe('JsonCursor that judges strings', () => {
  const judged = (text: string): JsonCursor => {
    const cursor = over(text, new JsonCursor(1_000, true));
    cursor.skipValue();
    return cursor;
  };

  it('accepts faults in strings when it does not judge them', () => {
    for (const text of ['"\\x"', '"\\u12g4"', '"\n"', '"\u0000"']) {
      expect(reads(text)).toBe(true);
      expect(judged(text).fault).toBe('malformed');
    }
  });

  it.each([
    ['"\\ud7ff"', false],
    ['"\\ud800"', true],
    ['"\\uDFFF"', true],
    ['"\\ue000"', false],
    ['"\\\\ud800"', false],
    ['"😀"', false],
    ['{"\\ud83d\\ude00":1}', true],
  ])('reports whether %s escapes a surrogate', (text, has) => {
    expect([judged(text).fault, judged(text).hasSurrogates]).toEqual([null, has]);
  });

  it.each([
    ['{"a":1}', 0],
    ['{"id":1}', SCAN_FLAGS.id],
    ['{"\\u0069d":1}', SCAN_FLAGS.escaped],
    ['{"a":{"file_id":1}}', SCAN_FLAGS.named | SCAN_FLAGS.image],
    ['{"detail":"low"}', SCAN_FLAGS.image],
    ['{"source":{}}', SCAN_FLAGS.image],
    ['{"reasoning":""}', SCAN_FLAGS.thoughts],
    ['{"reasoning_content":"","reasoning_details":[]}', SCAN_FLAGS.thoughts],
    ['{"reasoning_effort":"low"}', 0],
    ['{"url":"https://a.example"}', SCAN_FLAGS.address | SCAN_FLAGS.fetched],
    ['{"url":"data:,"}', SCAN_FLAGS.address],
    ['{"url":"gs://bucket"}', SCAN_FLAGS.address | SCAN_FLAGS.named | SCAN_FLAGS.fetched],
    ['{"url": ["a"]}', SCAN_FLAGS.address | SCAN_FLAGS.named | SCAN_FLAGS.fetched],
    ['{"notifyHook":"//a.example"}', SCAN_FLAGS.fetched],
    ['{"Ref_IMGS":"127.0.0.1/a"}', SCAN_FLAGS.fetched],
    ['{"a_link": "LocalHost"}', SCAN_FLAGS.fetched],
    ['{"a_link":"\uff11"}', SCAN_FLAGS.fetched],
    ['{"base64Array":["a"]}', SCAN_FLAGS.fetched],
    ['{"modality":"image"}', SCAN_FLAGS.fetched],
    ['{"link":""}', 0],
    ['{"image_data":"iVBORw0KGgo/AA=="}', 0],
    ['{"mask":{"a":"http://a.example"}}', 0],
    ['{"messages":"http://a.example","task":"http:","message":"a:","profile":1}', 0],
    ['{"url":null}', SCAN_FLAGS.address],
    ['[123456789012345]', 0],
    ['[1234567890123456]', SCAN_FLAGS.longNumber],
    ['{"constructor":1,"__proto__":2,"":3}', 0],
    ['{"role":"user"}', SCAN_FLAGS.role],
    ['{"role": "system"}', SCAN_FLAGS.role | SCAN_FLAGS.system],
    ['[{"role":"system"},{"role":"system"}]', SCAN_FLAGS.role | SCAN_FLAGS.system | SCAN_FLAGS.systems],
    ['{"role":"developer"}', SCAN_FLAGS.role | SCAN_FLAGS.developer],
    ['{"role":"assistant"}', ASSISTANT | SCAN_FLAGS.unsigned | BARE],
    ['{"role":"assistant","content":"a"}', ASSISTANT | SCAN_FLAGS.unsigned],
    ['{"role":"assistant","tool_calls":[0]}', ASSISTANT | SCAN_FLAGS.unsigned | SCAN_FLAGS.textlessTurn],
    ['{"text":""}', BARE | SCAN_FLAGS.blankText],
    ['{"text": " \\n\\t"}', SCAN_FLAGS.blankText],
    ['{"text":"\\nHi"}', 0],
    ['{"content":" "}', SCAN_FLAGS.blankText],
    ['{"content":["a"]}', 0],
    ['{"id":"msg_1"}', SCAN_FLAGS.id],
    ['{"id":"fc_1"}', SCAN_FLAGS.id],
    ['{"id": "item_1"}', SCAN_FLAGS.id | SCAN_FLAGS.otherItemId],
    ['{"role":"tool"}', SCAN_FLAGS.role | SCAN_FLAGS.toolTurn],
    ['{"role":"\\u0074ool"}', ASSISTANT | SCAN_FLAGS.toolTurn | BARE],
  ])('flags in %s the members later stages read', (text, scanFlags) => {
    expect([judged(text).fault, judged(text).scanFlags]).toEqual([null, scanFlags]);
  });

  it('reads a document that was cut after any byte of an address', () => {
    for (const text of ['{"url":"data:image/png;base64,AAAA"}', '{"image":"localhost"}', '{"link":"//a"}'])
      for (let end = 0; end < text.length; end += 1)
        expect(judged(text.slice(0, end)).fault).toBe('malformed');
  });
});
