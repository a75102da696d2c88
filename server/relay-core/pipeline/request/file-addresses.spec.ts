import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { refuseFileAddresses } from './file-addresses.js';

function refusal(body: unknown, taken: readonly string[] = [], isPassed = false): string | undefined {
  const scanned = scanObject(Buffer.from(JSON.stringify(body)));
  if (typeof scanned === 'string') throw new Error(scanned);
  const refused = refuseFileAddresses(scanned, taken, isPassed);
  return refused !== undefined && 'param' in refused ? refused.param : undefined;
}

type Place = (address: string) => { readonly body: unknown; readonly path: string };
const chat = (part: unknown, path: string): { body: unknown; path: string } => ({
  body: { model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, part] }] },
  path: `messages.0.content.1.${path}`,
});
const chatPicture: Place = (url) => chat({ type: 'image_url', image_url: { url } }, 'image_url.url');
const PLACES: readonly (readonly [string, Place])[] = [
  ['image_url.url', chatPicture],
  ['image_url', (url) => chat({ type: 'image_url', image_url: url }, 'image_url')],
  ['video_url.url', (url) => chat({ type: 'video_url', video_url: { url } }, 'video_url.url')],
  ['file.file_data', (url) => chat({ type: 'file', file: { file_data: url } }, 'file.file_data')],
  ['source.url', (url) => chat({ type: 'image', source: { type: 'url', url } }, 'source.url')],
  [
    'a tool result',
    (url) => ({
      body: {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url } }] }],
          },
        ],
      },
      path: 'messages.0.content.0.content.0.source.url',
    }),
  ],
  [
    'input_image and input_file',
    (url) => ({
      body: { input: [{ role: 'user', content: [{ type: 'input_file', file_url: url }] }] },
      path: 'input.0.content.0.file_url',
    }),
  ],
  [
    'fileData',
    (fileUri) => ({
      body: { contents: [{ parts: [{ fileData: { fileUri } }] }] },
      path: 'contents.0.parts.0.fileData.fileUri',
    }),
  ],
  [
    'file_data of Google',
    (file_uri) => ({
      body: { contents: [{ parts: [{ file_data: { file_uri } }] }] },
      path: 'contents.0.parts.0.file_data.file_uri',
    }),
  ],
];

describe.each(PLACES)('addresses of files in %s', (_name, place) => {
  it.each([
    'file:///etc/passwd',
    'FILE:/x',
    ' ftp://h/x',
    'blob:https://h/1',
    'javascript:0',
    'C:\\a.png',
    'cid:1',
  ])('refuses %s by its place', (address) => {
    const { body, path } = place(address);
    for (const isPassed of [true, false]) expect(refusal(body, ['gs', 's3'], isPassed)).toBe(path);
  });

  it('takes addresses of the web, and a store only where the vendor opens it', () => {
    for (const address of ['https://h/x.png', 'http://h/x.png', 'gs://b/x', 'file-abc', 'aGk=']) {
      expect(refusal(place(address).body, ['gs'])).toBeUndefined();
    }
    expect(refusal(place('gs://b/x').body, ['s3'])).toBe(place('').path);
  });
});

describe('addresses that hold the bytes themselves', () => {
  const place = (name: string): Place => PLACES.find(([one]) => one === name)?.[1] ?? chatPicture;

  it('takes them where the API does, and everywhere else where the body is written anew', () => {
    const address = 'data:image/png;base64,aGk=';
    expect(refusal(place('image_url.url')(address).body, [], true)).toBeUndefined();
    expect(refusal(place('source.url')(address).body, [], false)).toBeUndefined();
    expect(refusal(place('source.url')(address).body, [], true)).toBe('messages.0.content.1.source.url');
    expect(refusal(place('fileData')(address).body, [], true)).toBe('contents.0.parts.0.fileData.fileUri');
  });
});

describe('members that only look like addresses', () => {
  const address = 'file:///home/me/x.png';

  it.each<[string, unknown]>([
    ['arguments of a call', { contents: [{ parts: [{ functionCall: { args: { image_url: address } } }] }] }],
    [
      'the input of a call',
      { messages: [{ content: [{ type: 'tool_use', input: { image_url: address } }] }] },
    ],
    [
      'what a function answers',
      { contents: [{ parts: [{ functionResponse: { response: { file_url: address } } }] }] },
    ],
    ['words', { messages: [{ role: 'user', content: address }] }],
    [
      'schemas',
      { tools: [{ parameters: { properties: { file_url: { default: address, file_url: address } } } }] },
    ],
    ['metadata', { metadata: { file_url: address }, image_url: { detail: 'low' } }],
  ])('passes %s', (_name, body) => {
    expect(refusal(body)).toBeUndefined();
  });
});
