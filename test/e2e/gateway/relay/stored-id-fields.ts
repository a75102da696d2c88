import type { Api, idsOf } from './stored-ids.fixture.ts';

export interface Field {
  readonly api: Api;
  readonly name: string;
  /** Which id of an answer goes there; undefined = none that an answer of ours can bring. */
  readonly from?: keyof ReturnType<typeof idsOf>;
  readonly members: (id: string) => Readonly<Record<string, unknown>>;
}

export const item = (one: unknown) => ({ input: [one, { role: 'user', content: 'x' }] });
/** A thought stands before what it led to. */
export const thought = (one: object) => ({
  input: [
    { type: 'reasoning', summary: [], ...one },
    { role: 'assistant', content: [{ type: 'output_text', text: 'y' }] },
    { role: 'user', content: 'x' },
  ],
});
const result = (one: object) => ({
  input: [
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: [one] },
  ],
});
const tunnel = (id: string): string => `tunnel_${id.replaceAll(/[^a-z0-9]/g, '').padEnd(32, '0')}`;
export const tool = (one: unknown) => ({ input: 'x', tools: [one] });
const part = (one: unknown) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, one] }],
});
const RESPONSES: readonly Omit<Field, 'api'>[] = [
  { name: 'previous_response_id', from: 'response', members: (id) => ({ previous_response_id: id }) },
  { name: 'conversation', members: (id) => ({ conversation: id }) },
  { name: 'conversation.id', members: (id) => ({ conversation: { id } }) },
  { name: 'prompt', members: (id) => ({ prompt: { id } }) },
  { name: 'an item reference', from: 'item', members: (id) => item({ type: 'item_reference', id }) },
  { name: 'an item that is only its id', from: 'item', members: (id) => item({ id }) },
  {
    name: 'a thought by its id',
    from: 'thought',
    members: (id) => thought({ id }),
  },
  { name: 'a picture by its id', members: (id) => item({ type: 'image_generation_call', id }) },
  {
    name: 'a container',
    from: 'container',
    members: (id) => tool({ type: 'code_interpreter', container: id }),
  },
  {
    name: 'the container of a program',
    from: 'container',
    members: (id) =>
      item({ type: 'code_interpreter_call', id: 'ci', code: 'x', container_id: id, outputs: null }),
  },
  {
    name: 'files of a container',
    members: (id) => tool({ type: 'code_interpreter', container: { type: 'auto', file_ids: [id] } }),
  },
  { name: 'a file', members: (id) => item({ role: 'user', content: [{ type: 'input_file', file_id: id }] }) },
  {
    name: 'a picture',
    members: (id) => item({ role: 'user', content: [{ type: 'input_image', file_id: id }] }),
  },
  {
    name: 'a file a function gave',
    members: (id) => result({ type: 'input_file', file_id: id }),
  },
  { name: 'a vector store', members: (id) => tool({ type: 'file_search', vector_store_ids: [id] }) },
  { name: 'a tunnel', members: (id) => tool({ type: 'mcp', server_label: 's', tunnel_id: tunnel(id) }) },
];
const FIELDS: readonly Field[] = [
  ...RESPONSES.map((field): Field => ({ api: 'responses', ...field })),
  { api: 'chat', name: 'a file', members: (id) => part({ type: 'file', file: { file_id: id } }) },
  {
    api: 'chat',
    name: 'an earlier sound',
    from: 'audio',
    members: (id) => ({
      messages: [
        { role: 'assistant', audio: { id } },
        { role: 'user', content: 'x' },
      ],
    }),
  },
  {
    api: 'chat',
    name: 'a picture in the store of the vendor',
    members: (id) => part({ type: 'image_url', image_url: { url: `ms://${id}` } }),
  },
  {
    api: 'chat',
    name: 'knowledge of the vendor',
    members: (id) => ({ tools: [{ type: 'retrieval', retrieval: { knowledge_id: id } }] }),
  },
  { api: 'messages', name: 'a container', from: 'claudeContainer', members: (id) => ({ container: id }) },
  {
    api: 'messages',
    name: 'container.id',
    from: 'claudeContainer',
    members: (id) => ({ container: { id } }),
  },
  {
    api: 'messages',
    name: 'a file for a container',
    from: 'claudeFile',
    members: (id) => part({ type: 'container_upload', file_id: id }),
  },
  {
    api: 'messages',
    name: 'a document',
    from: 'claudeFile',
    members: (id) => part({ type: 'document', source: { type: 'file', file_id: id } }),
  },
  { api: 'gemini', name: 'cachedContent', members: (id) => ({ cachedContent: `cachedContents/${id}` }) },
  {
    api: 'gemini',
    name: 'a file',
    members: (id) => ({
      contents: [
        {
          role: 'user',
          parts: [
            {
              fileData: {
                mimeType: 'text/plain',
                fileUri: `https://generativelanguage.googleapis.com/v1beta/files/${id}`,
              },
            },
          ],
        },
      ],
    }),
  },
  {
    api: 'gemini',
    name: 'a file search store',
    members: (id) => ({ tools: [{ fileSearch: { fileSearchStoreNames: [`fileSearchStores/${id}`] } }] }),
  },
];
/** Every place of a request that names what a vendor keeps, in calls that are answered whole and as a stream. */
export const CASES = FIELDS.flatMap((field) =>
  [false, true].map((stream) => ({ ...field, stream, form: stream ? 'streamed' : 'whole' })),
);
