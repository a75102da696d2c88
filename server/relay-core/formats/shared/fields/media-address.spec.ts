import { describe, expect, it } from '@jest/globals';
import { readMediaAddress } from './media-address.js';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xfb\xff', 'latin1').toString('base64');
const JPEG = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF', 'latin1').toString('base64');
const GIF = Buffer.from('GIF89a\x01\0', 'latin1').toString('base64');
const WEBP = Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1').toString('base64');
const PDF = Buffer.from('%PDF-1.7\n', 'latin1').toString('base64');
const png = { kind: 'base64', base64: PNG, mediaType: 'image/png' };

describe('a data URL', () => {
  it.each([
    ['as everybody writes it', `data:image/png;base64,${PNG}`],
    ['in capitals', `DATA:IMAGE/PNG;BASE64,${PNG}`],
    ['with parameters', `data:image/png;name=a.png;charset=utf-8;base64,${PNG}`],
    ['with spaces around its parameters', `data:image/png; charset=utf-8 ;base64,${PNG}`],
    ['with line feeds', `data:image/png;base64,\n${PNG.slice(0, 10)}\r\n${PNG.slice(10)}\n`],
    ['with percent signs in its base64', `data:image/png;base64,${encodeURIComponent(PNG)}`],
    ['in the url-safe alphabet', `data:image/png;base64,${Buffer.from(PNG, 'base64').toString('base64url')}`],
    ['without base64', `data:image/png,${Buffer.from(PNG, 'base64').toString('hex').replace(/../g, '%$&')}`],
    ['without a type', `data:;base64,${PNG}`],
    ['behind white space', ` data:image/png;base64,${PNG}`],
  ])('reads %s', (_form, url) => {
    expect(readMediaAddress(url)).toEqual(png);
  });

  it('takes one without base64 for text unless marked otherwise', () => {
    const text = Buffer.from('a,b – ä').toString('base64');
    expect(readMediaAddress('data:,a,b%20–%20%C3%A4')).toEqual({
      kind: 'base64',
      base64: text,
      mediaType: 'text/plain',
    });
  });
});

describe('a picture', () => {
  const types = [
    'image/png',
    'image/jpeg',
    'image/jpg',
    'image/webp',
    'application/octet-stream',
    'text/plain',
  ];
  const pictures = [
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/gif', GIF],
    ['image/webp', WEBP],
    ['application/pdf', PDF],
  ] as const;

  it.each(pictures)('recognizes %s by its bytes, whatever its address', (mediaType, bytes) => {
    for (const declared of types) {
      expect(readMediaAddress(`data:${declared};base64,${bytes}`)).toEqual({
        kind: 'base64',
        base64: bytes,
        mediaType,
      });
    }
    expect(readMediaAddress(bytes)).toMatchObject({ mediaType });
  });

  it.each([
    ['image/jpg', 'image/jpeg'],
    ['image/PNG; q=1', 'image/png'],
    ['application/octet-stream', undefined],
  ])('takes one with unknown bytes for what %s means', (declared, mediaType) => {
    expect(readMediaAddress(`data:${declared};base64,aGk=`)).toMatchObject({ mediaType });
  });
});

it('an address of a page stays an address', () => {
  expect(readMediaAddress('HTTPS://a.example/x.png')).toEqual({
    kind: 'url',
    url: 'HTTPS://a.example/x.png',
  });
  expect(readMediaAddress('gs://bucket/x')).toEqual({ kind: 'url', url: 'gs://bucket/x' });
});
