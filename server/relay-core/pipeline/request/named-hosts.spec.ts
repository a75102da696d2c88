import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { boundaryOf, MultipartFault, scanMultipart } from '../../framing/multipart.js';
import { hostsInDocument, hostsInForm, hostsInPrompt, mayNameHosts, TOO_MANY_HOSTS } from './refuse-hosts.js';

const URL = 'http://10.0.0.5/a.png';

function scanned(body: unknown) {
  const document = scanObject(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  if (typeof document === 'string') throw new Error(document);
  return document;
}
/** Places of the private address, found the way a call finds them: by its scan first. */
function placesOf(body: unknown): readonly string[] {
  const document = scanned(body);
  if (!mayNameHosts(document)) return [];
  return [...hostsInDocument(document.bytes)]
    .filter(({ host }) => host.address === '10.0.0.5')
    .map(({ place }) => place);
}
const content = (...parts: unknown[]) => ({ messages: [{ role: 'user', content: parts }] });

describe('hosts in a document', () => {
  it.each([
    [
      'OpenAI chat',
      content({ type: 'image_url', image_url: { url: URL } }),
      'messages.0.content.0.image_url.url',
    ],
    [
      'a text for the object',
      content({ type: 'image_url', image_url: URL }),
      'messages.0.content.0.image_url',
    ],
    ['a film', content({ type: 'video_url', video_url: { url: URL } }), 'messages.0.content.0.video_url.url'],
    ['audio', content({ type: 'audio_url', audio_url: { url: URL } }), 'messages.0.content.0.audio_url.url'],
    ['a file', content({ type: 'file', file: { file_data: URL } }), 'messages.0.content.0.file.file_data'],
    ['Qwen', content({ type: 'image', image: URL }), 'messages.0.content.0.image'],
    ['a list of frames', content({ type: 'video', video: [[URL]] }), 'messages.0.content.0.video.0.0'],
    ['Mistral', content({ type: 'document_url', document_url: URL }), 'messages.0.content.0.document_url'],
    [
      'Anthropic',
      content({ type: 'image', source: { type: 'url', url: URL } }),
      'messages.0.content.0.source.url',
    ],
    [
      'a result of a tool',
      content({ type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url: URL } }] }),
      'messages.0.content.0.content.0.source.url',
    ],
    ['MCP of Anthropic', { mcp_servers: [{ type: 'url', url: URL }] }, 'mcp_servers.0.url'],
    ['MCP of OpenAI', { tools: [{ type: 'mcp', server_url: URL }] }, 'tools.0.server_url'],
    [
      'Responses',
      { input: [{ content: [{ type: 'input_image', image_url: URL }] }] },
      'input.0.content.0.image_url',
    ],
    [
      'a file of Responses',
      { input: [{ content: [{ type: 'input_file', file_url: URL }] }] },
      'input.0.content.0.file_url',
    ],
    [
      'output of a tool',
      { input: [{ type: 'function_call_output', output: [{ type: 'input_image', image_url: URL }] }] },
      'input.0.output.0.image_url',
    ],
    [
      'a mask',
      { tools: [{ type: 'image_generation', input_image_mask: { image_url: URL } }] },
      'tools.0.input_image_mask.image_url',
    ],
    [
      'Gemini',
      { contents: [{ parts: [{ fileData: { fileUri: URL } }] }] },
      'contents.0.parts.0.fileData.fileUri',
    ],
    [
      'snake case',
      { contents: [{ parts: [{ file_data: { file_uri: URL } }] }] },
      'contents.0.parts.0.file_data.file_uri',
    ],
    [
      'a response of a function',
      { contents: [{ parts: [{ functionResponse: { parts: [{ fileData: { fileUri: URL } }] } }] }] },
      'contents.0.parts.0.functionResponse.parts.0.fileData.fileUri',
    ],
    ['embeddings', { input: [{ image: URL }] }, 'input.0.image'],
    ['embeddings by modality', { input: [URL], modality: 'image' }, 'input.0'],
    ['embeddings by modality first', { modality: 'image', input: URL }, 'input'],
    [
      'DashScope',
      { input: { messages: [{ content: [{ image: URL }] }] } },
      'input.messages.0.content.0.image',
    ],
    ['images', { images: [{ image_url: URL }], prompt: 'x' }, 'images.0.image_url'],
    ['settings', { parameters: { ref_images_url: URL } }, 'parameters.ref_images_url'],
    ['drawings', { base64Array: ['AAAA', URL] }, 'base64Array.1'],
    ['a hook', { notifyHook: URL }, 'notifyHook'],
    ['camel case', { first: { imageUrl: URL } }, 'first.imageUrl'],
    ['capitals', { IMAGE_URL: URL }, 'IMAGE_URL'],
    ...['image_1', 'image2', 'url-3', 'image_input', 'image_prompt', 'style_reference', 'last_frame'].map(
      (key): [string, unknown, string] => [key, { [key]: URL }, key],
    ),
    ...['keyframes', 'ref_audio_path', 'pic', 'cover'].map((key): [string, unknown, string] => [
      key,
      { input: { [key]: [URL] } },
      `input.${key}.0`,
    ]),
    ['a model part', { loras: [{ path: URL }] }, 'loras.0.path'],
    [
      'an event',
      { type: 'response.create', response: { input: [{ content: [{ image_url: URL }] }] } },
      'response.input.0.content.0.image_url',
    ],
  ])('finds them in %s', (_, body, place) => {
    expect(placesOf(body)).toEqual([place]);
  });

  it('finds them behind escapes in keys and values', () => {
    expect(placesOf(String.raw`{"a":{"image\u005furl":"http:\/\/10.0.0.5\/"}}`)).toEqual(['a.image_url']);
    expect(placesOf(String.raw`{"a":{"url":"\u0068ttp://10.0.0.5"}}`)).toEqual(['a.url']);
    expect(placesOf(String.raw`{"a":{"url":"http://10.0.0.\u0035"}}`)).toEqual(['a.url']);
  });

  it('finds the host of an address of any length, and refuses one behind too many blanks', () => {
    expect(placesOf({ image: `${URL}?${'a'.repeat(100_000)}` })).toEqual(['image']);
    for (const image of [`${URL}?${'\n'.repeat(50_000)}`, `${'\u3000'.repeat(9_000)}${URL}`])
      expect([...hostsInDocument(scanned({ image }).bytes)]).toMatchObject([
        { host: { address: '0.0.0.0' }, place: 'image' },
      ]);
  });

  it.each([
    content({ type: 'text', text: URL }),
    { messages: [{ role: 'user', content: URL }] },
    { input: URL },
    { input: [URL] },
    { documents: [URL], query: URL },
    { prompt: URL },
    { metadata: { url: URL } },
    { messages: [{ tool_calls: [{ function: { name: 'open', arguments: `{"url":"${URL}"}` } }] }] },
    content({ type: 'tool_use', name: 'open', input: { url: URL } }),
    {
      contents: [
        {
          parts: [{ functionCall: { args: { url: URL } } }, { functionResponse: { response: { url: URL } } }],
        },
      ],
    },
    {
      tools: [
        { type: 'function', function: { parameters: { properties: { url: { default: URL } }, url: URL } } },
      ],
    },
    { tools: [{ name: 'open', input_schema: { examples: [{ url: URL }] } }] },
    { messages: [{ annotations: [{ type: 'url_citation', url: URL }] }] },
    { base_url: URL, api_base: URL },
  ])('takes words for words in %j', (body) => {
    expect(placesOf(body)).toEqual([]);
  });
});

describe('mayNameHosts', () => {
  it.each([
    {
      messages: [{ role: 'user', content: 'see https://pictures.example/a' }],
      model: 'm',
      metadata: { file: 1 },
    },
    content({ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100)}` } }),
    { image: 'iVBORw0KGgo/'.repeat(20), audio: 'UklGRg==', modalities: 1, file: null },
    { messages: [{ content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] }] },
  ])('returns false by the scan of %j', (body) => {
    expect(mayNameHosts(scanned(body))).toBe(false);
  });
});

describe('hosts in a form', () => {
  it('returns those of its fields, in lists too, never of its files', () => {
    const part = (name: string, value: string, file = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    const body = [
      part('prompt', URL),
      part('url', URL),
      part('image_url[]', URL),
      part('mask', `${URL}?${'a'.repeat(20_000)}`),
      part('image', URL, '; filename="a.png"'),
    ].join('');
    const form = scanMultipart(
      Buffer.from(`${body}--b--\r\n`),
      boundaryOf('multipart/form-data; boundary=b') ?? '',
    );
    if (form instanceof MultipartFault) throw form;
    expect([...hostsInForm(form)].map(({ place }) => place)).toEqual(['url', 'image_url[]', 'mask']);
  });
});

describe('hosts in a prompt', () => {
  it('returns those of every address in it', () => {
    const prompt = 'https://pictures.example/a.png a cat --sref http://10.0.0.5/b --cref http:\\\\0x7f.1/c';
    expect([...hostsInPrompt(prompt)].map(({ host }) => host.address ?? host.name)).toEqual([
      'pictures.example',
      '10.0.0.5',
      '127.0.0.1',
    ]);
    expect([...hostsInPrompt('a cat at 10.0.0.5: the film')]).toEqual([]);
    const many = Array.from({ length: 1_001 }, (_, index) => `http://a${index}.example`).join(' ');
    expect([...hostsInPrompt(many)]).toEqual([TOO_MANY_HOSTS]);
  });
});
