import { describe, expect, it } from '@jest/globals';
import {
  boundaryFor,
  boundaryOf,
  type FormValue,
  MultipartFault,
  type MultipartForm,
  scanMultipart,
  spliceParts,
  textOfPart,
  writeMultipart,
} from './multipart.js';

const field = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: Audio/MPEG\r\n\r\n';

function scanned(body: string | Buffer): MultipartForm {
  const form = scanMultipart(Buffer.from(body), 'b');
  if (form instanceof MultipartFault) throw new Error(form.message);
  return form;
}

const fieldsOf = (form: MultipartForm) => form.parts.map((part) => [part.name, textOfPart(form, part)]);

describe('the boundary of a form', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
    ['multipart/form-data;boundary=----WebKitFormBoundaryX;', '----WebKitFormBoundaryX'],
  ])('%s', (type, expected) => {
    expect(boundaryOf(type)).toBe(expected);
  });

  it.each([
    'application/json',
    'multipart/form-data',
    'multipart/mixed; boundary=abc',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; boundary="a\u0000"',
    'multipart/form-data; boundary="a ',
  ])('%s has none that is allowed', (type) => {
    expect(boundaryOf(type)).toBeUndefined();
  });
});

describe('reading a form', () => {
  it('finds fields and files where they stand, bytes untouched', () => {
    const bytes = Buffer.concat([
      Buffer.from(field('model', 'whisper-1') + FILE),
      Buffer.from([0, 255, 13, 10, 45, 45, 99]),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const form = scanned(bytes);
    expect(fieldsOf(form)[0]).toEqual(['model', 'whisper-1']);
    const file = form.parts[1];
    expect(file).toMatchObject({ name: 'file', fileName: 'a.mp3', mediaType: 'audio/mpeg' });
    expect([...bytes.subarray(file?.start, file?.end)]).toEqual([0, 255, 13, 10, 45, 45, 99]);
  });

  it('takes an empty line before the first boundary, no line end after the last, and names in other alphabets', () => {
    const name = `--b\r\nContent-Disposition: form-data; name="file"; filename*=utf-8''na%C3%AFve.wav\r\n\r\nx\r\n`;
    expect(scanned(`\r\n${name}--b--`).parts[0]?.fileName).toBe('naïve.wav');
  });

  it.each([
    ['', 'begin'],
    ['preamble\r\n--b--', 'begin'],
    ['--b', 'boundary'],
    ['--bb\r\n', 'boundary'],
    ['--b \r\n', 'boundary'],
    [`${field('a', '1')}--b`, 'boundary'],
    [`${field('a', '1')}--b--epilogue`, 'follows'],
    ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue', 'does not end'],
    ['--b\r\nContent-Disposition: form-data; name="a"\n\nvalue\r\n--b--', 'headers'],
    ['--b\r\n\r\nvalue\r\n--b--', 'header'],
    ['--b\r\nContent-Type: text/plain\r\n\r\nvalue\r\n--b--', 'no name'],
    ['--b\r\nContent-Disposition: form-data; name=""\r\n\r\nv\r\n--b--', 'name'],
    ['--b\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\nv\r\n--b--', 'name'],
    ['--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nv\r\n--b--', 'name'],
    ['--b\r\nContent-Disposition: form-data; name="a\r\n b"\r\n\r\nv\r\n--b--', 'header'],
    [
      '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"\r\n\r\nv\r\n--b--',
      'twice',
    ],
    [
      '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\ndg==\r\n--b--',
      'encoded',
    ],
    [
      '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\nv\r\n--b--',
      'form itself',
    ],
    [`${field('a', 'x').replace('x', 'x\r\n--bee')}--b--`, 'boundary'],
    [`${field('model', 'x').repeat(129)}--b--`, 'more than 128'],
    [`${field('prompt', 'x'.repeat(1024 * 1024 + 1))}--b--`, 'too long'],
  ])('refuses what two readers could read differently (%#) [RLY-03]', (body, sentence) => {
    const form = scanMultipart(Buffer.from(body), 'b');
    expect(form).toBeInstanceOf(MultipartFault);
    expect((form as MultipartFault).message).toContain(sentence);
  });

  it('refuses a field that is not UTF-8', () => {
    const body = Buffer.concat([
      Buffer.from(field('a', '').slice(0, -2)),
      Buffer.from([0xff]),
      Buffer.from('\r\n--b--'),
    ]);
    expect(scanMultipart(body, 'b')).toBeInstanceOf(MultipartFault);
  });

  it('never fails on a body cut anywhere: it is a fault', () => {
    const whole = Buffer.from(`${field('model', 'm')}${FILE}bytes\r\n--b--\r\n`);
    for (let cut = 0; cut < whole.length - 2; cut += 1) {
      expect(scanMultipart(whole.subarray(0, cut), 'b')).toBeInstanceOf(MultipartFault);
    }
  });
});

describe('changing a form', () => {
  const body = `${field('model', 'mine')}${FILE}\u0001\u0002\r\n${field('extra', 'x')}--b--\r\n`;

  it('writes the value of a field and leaves every other byte', () => {
    const changed = spliceParts(scanned(body), new Map([['model', 'theirs']]));
    expect(changed.toString()).toBe(body.replace('mine', 'theirs'));
  });

  it('removes parts, adds missing ones, and keeps one of two', () => {
    const twice = `${field('model', 'a')}${body}`;
    const changes = new Map<string, string | undefined>([
      ['model', 'theirs'],
      ['extra', undefined],
      ['stream', 'true'],
    ]);
    expect(fieldsOf(scanned(spliceParts(scanned(twice), changes)))).toEqual([
      ['model', 'theirs'],
      ['file', '\u0001\u0002'],
      ['stream', 'true'],
    ]);
  });

  it('writes a form another reader finds the same in, whatever the file holds', () => {
    const values: readonly FormValue[] = [
      { name: 'model', text: 'm' },
      {
        name: 'image[]',
        bytes: Buffer.from('\r\n------tollgate-form-00000000--\r\n'),
        fileName: 'a"b\r\n.png',
        mediaType: 'image/png',
      },
    ];
    const boundary = boundaryFor(values);
    const form = scanMultipart(writeMultipart(values, boundary), boundary);
    if (form instanceof MultipartFault) throw new Error(form.message);
    expect(form.parts.map(({ name, fileName }) => [name, fileName])).toEqual([
      ['model', undefined],
      ['image[]', 'a_b__.png'],
    ]);
    expect(textOfPart(form, form.parts[1] as (typeof form.parts)[number])).toContain(
      'tollgate-form-00000000--',
    );
  });
});

describe('hostile forms', () => {
  /** A small generator, the same sequence for the same seed. */
  function random(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  it('refuses them, or reads the same again after they were changed (3,000 seeded mutations) [RLY-03]', () => {
    const whole = Buffer.from(`${field('model', 'mine')}${FILE}\r\n--not it\r\n${field('n', '2')}--b--\r\n`);
    const pieces = ['\r\n', '--b', '--b--', '\r\n--b\r\n', '"', ';', 'name="model"', '\u0000', '\\', ' '];
    let read = 0;
    for (let seed = 1; seed <= 3_000; seed += 1) {
      const next = random(seed);
      let body = Buffer.from(whole);
      for (let edits = 1 + Math.floor(next() * 3); edits > 0; edits -= 1) {
        const at = Math.floor(next() * body.length);
        const cut = Math.floor(next() * 4);
        const piece = Buffer.from(pieces[Math.floor(next() * pieces.length)] ?? '');
        body = Buffer.concat([body.subarray(0, at), piece, body.subarray(at + cut)]);
      }
      const form = scanMultipart(body, 'b');
      if (form instanceof MultipartFault) continue;
      read += 1;
      const changed = scanMultipart(spliceParts(form, new Map([['model', 'theirs']])), 'b');
      if (changed instanceof MultipartFault) throw new Error(`seed ${seed}: ${changed.message}`);
      const others = (one: MultipartForm) =>
        one.parts
          .filter(({ name }) => name !== 'model')
          .map((part) => [part.name, part.fileName, one.bytes.toString('latin1', part.start, part.end)]);
      expect(others(changed)).toEqual(others(form));
      expect(changed.parts.filter(({ name }) => name === 'model')).toHaveLength(1);
    }
    expect(read).toBeGreaterThan(100);
  });
});
