import { describe, expect, it } from '@jest/globals';
import { agreedMediaType, sniffMediaType } from './media-type.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const PNG = bytes('\x89PNG\r\n\x1a\n....');
const MP4 = bytes('\0\0\0\x18ftypisom....');

describe('sniffMediaType', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/webp', 'RIFF\0\0\0\0WEBPVP8 '],
    ['audio/wav', 'RIFF\0\0\0\0WAVEfmt '],
    ['audio/mp4', '\0\0\0\x18ftypM4A '],
    ['video/mp4', '\0\0\0\x18ftypisom'],
    ['application/pdf', '%PDF-1.7'],
  ])('detects %s by its first bytes', (mediaType, text) => {
    expect(sniffMediaType(bytes(text))).toBe(mediaType);
  });

  it('returns undefined for a page, and for a truncated beginning', () => {
    expect(sniffMediaType(bytes('<html>'))).toBeUndefined();
    expect(sniffMediaType(bytes('\x89PN'))).toBeUndefined();
  });
});

describe('agreedMediaType', () => {
  it('uses the bytes when the sender names no type', () => {
    expect(agreedMediaType(PNG, undefined, 'image')).toBe('image/png');
    expect(agreedMediaType(PNG, 'application/octet-stream', 'image')).toBe('image/png');
  });

  it('rejects a file when bytes and sender disagree, or another type was requested', () => {
    expect(agreedMediaType(PNG, 'text/html', 'image')).toBeUndefined();
    expect(agreedMediaType(PNG, 'image/png', 'audio')).toBeUndefined();
    expect(agreedMediaType(bytes('<svg onload=1>'), 'image/svg+xml', 'image')).toBeUndefined();
  });

  it('uses the extension of a text without a declared type, and accepts no page', () => {
    const text = bytes('a,b');
    expect(agreedMediaType(text, 'binary/octet-stream', 'file', 'text/csv')).toBe('text/csv');
    expect(agreedMediaType(text, 'text/plain', 'file', 'text/csv')).toBe('text/plain');
    expect(agreedMediaType(text, undefined, 'file', 'text/html')).toBeUndefined();
    expect(agreedMediaType(text, undefined, 'image', 'text/csv')).toBeUndefined();
    expect(agreedMediaType(bytes('a\0b'), undefined, 'file', 'text/csv')).toBeUndefined();
  });

  it('takes a container for audio when audio was requested or declared', () => {
    expect(agreedMediaType(MP4, 'audio/mp4', 'file')).toBe('audio/mp4');
    expect(agreedMediaType(MP4, '', 'audio')).toBe('audio/mp4');
    expect(agreedMediaType(MP4, 'video/mp4', 'video')).toBe('video/mp4');
  });

  it('takes text for a file only, of a kind no browser runs, without zero bytes', () => {
    expect(agreedMediaType(bytes('a,b'), 'Text/CSV; charset=utf-8', 'file')).toBe('text/csv');
    expect(agreedMediaType(bytes('a,b'), 'text/csv', 'image')).toBeUndefined();
    expect(agreedMediaType(bytes('<p>'), 'text/html', 'file')).toBeUndefined();
    expect(agreedMediaType(bytes('a\0b'), 'text/plain', 'file')).toBeUndefined();
  });
});
