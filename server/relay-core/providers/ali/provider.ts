import { aliMultimodalEmbed } from './embed.js';
import { aliMessageImages, aliPromptImages, aliSourceImages } from './images.js';
import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { aliRerank } from '../../formats/rerank/index.js';
import { messagesOperation } from '../anthropic/operations.js';
import { nativeAddress, nativeOperation, type NativeVendor } from '../shared/native-operations.js';
import { openRangeOfTopP, withFields } from '../openai-compatible/chat-edits.js';
import type { SuffixRule } from '../openai-compatible/model-suffixes.js';
import { compatibleProvider } from '../openai-compatible/provider.js';
import { qwenReasoning } from '../openai-compatible/reasoning-edits.js';
import { OTHER_CHATS, PLAIN_MESSAGES_TOOLS } from '../shared/default-descriptions.js';
import { names } from '../shared/model-names.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { FollowReply, Provider, ProviderCall, ProviderOperation } from '../provider.js';
import { parseJson } from '../../../common/parse-json.js';

/** Open models of Qwen, refused in calls without a stream unless thinking is switched off. */
const OPEN_QWEN = /^qwen3-\d+(?:\.\d+)?b(?:-a\d+b)?$/i;
const DESCRIPTION: VendorDescription = {
  source: {
    links: [
      'https://github.com/langchain4j/langchain4j/issues/3974',
      'https://github.com/tencentmusic/supersonic/issues/2355',
      'https://github.com/mcowger/plexus/issues/77',
      'https://github.com/modelscope/modelscope/issues/1478',
      'https://github.com/agno-agi/agno/pull/5317',
      'https://github.com/plastic-labs/honcho/issues/663',
    ],
    read: '2026-11-29',
    restsOn: 'public threads with the vendor’s own refusals',
  },
  instructions: { developer: false, place: 'head' },
  cap: 'max_tokens',
  user: { max: 64 },
  reasoning: ['enable_thinking', 'thinking_budget'],
  streamedSwitches: ['enable_thinking'],
  thinksByDefault: OPEN_QWEN,
  // "The content field's type should be `str`", "'messages' must contain the word 'json' in some form"
  chats: { ...OTHER_CHATS, joinsTexts: true, needsWordJson: true },
  messagesTools: PLAIN_MESSAGES_TOOLS,
  responsesTools: {
    types: new Set(['web_search', 'web_extractor', 'code_interpreter', 'file_search', 'mcp']),
  },
};

const ALI: NativeVendor = {
  defaultBaseUrl: 'https://dashscope.aliyuncs.com',
  // Operators often type the address of the compatible mode; everything else stands beside it.
  ownPath: /\/(?:compatible-mode|compatible-api|api\/v\d+|apps\/anthropic)(?:\/.*)?$/,
};
const SERVICES = '/api/v1/services/aigc';
const CONVERSATION_PATH = `${SERVICES}/multimodal-generation/generation`;

/** Models that answer an image request at once; all others start a task. */
const SYNCHRONOUS = /^(?:z-image|qwen-image|wan2\.[67])/;
/** Models Messages clients reach without a translation. */
const MESSAGES_MODELS = /qwen|deepseek-v4|kimi|glm|minimax-m/i;
const MULTIMODAL_EMBEDDINGS = /multimodal-embedding|embedding-vision|vl-embedding/;
/** When a task is looked at, and how often. */
const FIRST_LOOK_MS = 5_000;
const NEXT_LOOK_MS = 10_000;
const MAX_LOOKS = 20;
/** Models that only its own operations serve. */
const MORE_MODELS = ['qwen-image', 'qwen-image-edit', 'z-image-turbo', 'wan2.2-t2i-flash', 'gte-rerank-v2'];
const TASK_ID = /^[\w-]{1,128}$/;
const RUNNING: ReadonlySet<unknown> = new Set(['PENDING', 'RUNNING']);

/** `qwen-…-internet`. */
const aliSuffix: SuffixRule = (model) => {
  const name = /^(.+)-internet$/.exec(model)?.[1];
  return name === undefined
    ? undefined
    : { upstreamModel: name, change: (request) => withFields(request, { enable_search: true }) };
};

/** Its compatible mode. */
const base = compatibleProvider({
  id: 'ali',
  channelTypes: [{ code: 17, name: 'Ali DashScope', form: { other: 'plugin' } }],
  defaultBaseUrl: 'https://dashscope.aliyuncs.com',
  ownPath: /\/api\/v\d+\/services\/.+$/,
  paths: {
    chat: '/compatible-mode/v1/chat/completions',
    embed: '/compatible-mode/v1/embeddings',
    models: '/compatible-mode/v1/models',
  },
  extraHeaders: ({ other }) => (other === '' ? undefined : { 'x-dashscope-plugin': other }),
  defaultModels: names(`
    qwen3-max qwen3.7-max qwen-max qwen-plus qwen-turbo qwen-flash qwen3-coder-plus
    qwen3-coder-flash qwen3-235b-a22b qwq-plus qwq-32b qwen3-vl-plus qwen-max-longcontext
    text-embedding-v4 text-embedding-v1 gte-rerank-v2 qwen-image z-image
  `),
  description: DESCRIPTION,
  chat: {
    history: 'none',
    cacheMarks: true,
    search: { members: { enable_search: true } },
    plainJson: true,
    fileSchemes: ['oss'],
    reasoning: qwenReasoning,
    suffix: aliSuffix,
    edit: openRangeOfTopP,
    editedMembers: ['reasoning_effort', 'top_p'],
    completionsPath: '/compatible-mode/v1/completions',
    responsesPath: '/api/v2/apps/protocols/compatible-mode/v1/responses',
    // Its address stands beside the compatible one.
    responsesWhen: ({ baseUrl }) => !baseUrl.includes('/compatible-mode'),
  },
});

const modelOf = ({ route }: ProviderCall): string => route.upstreamModel;
const isSynchronous = (call: ProviderCall): boolean => SYNCHRONOUS.test(modelOf(call));
const isEdit = ({ shape }: ProviderCall): boolean => shape.task === 'edit';
/** Wan's own editors take a list of images; 2.6 and later at a newer address. */
const isWan = (call: ProviderCall): boolean => modelOf(call).startsWith('wan');
const isNewWan = (call: ProviderCall): boolean => /^wan2\.[67]/.test(modelOf(call));

/** Synchronous images: prompt and source images are one message. */
const conversation: ProviderOperation<'image'> = nativeOperation(ALI, aliMessageImages, CONVERSATION_PATH, {
  serves: (call) => call.shape.task !== 'vary' && (isEdit(call) ? !isWan(call) : isSynchronous(call)),
});

const textTask: ProviderOperation<'image'> = asTask(
  nativeOperation(ALI, aliPromptImages, `${SERVICES}/text2image/image-synthesis`, {
    serves: (call) => call.shape.task !== 'vary' && !isEdit(call) && !isSynchronous(call),
  }),
);

const editTask: ProviderOperation<'image'> = asTask(
  nativeOperation(
    ALI,
    aliSourceImages,
    (call) =>
      isNewWan(call) ? `${SERVICES}/image-generation/generation` : `${SERVICES}/image2image/image-synthesis`,
    { serves: (call) => isEdit(call) && isWan(call) },
  ),
);

/** An operation whose first reply is the number of a task: asked for again until the task has ended. */
function asTask(operation: ProviderOperation<'image'>): ProviderOperation<'image'> {
  return {
    ...operation,
    headers: (call) => ({ ...operation.headers(call), 'x-dashscope-async': 'enable' }),
    follow: (reply, call) => followTask(operation, reply, call),
  };
}

function followTask(
  operation: ProviderOperation<'image'>,
  { body, asked, last }: FollowReply,
  call: ProviderCall,
): ReturnType<NonNullable<ProviderOperation<'image'>['follow']>> {
  if (asked >= MAX_LOOKS) return undefined;
  if (body.length === 0) return last === undefined ? undefined : { request: last, afterMs: NEXT_LOOK_MS };
  const output = documentOf(documentOf(parseJson(body))['output']);
  const id = textOf(output['task_id']);
  if (id === undefined || !TASK_ID.test(id) || !RUNNING.has(output['task_status'])) return undefined;
  const address = nativeAddress(ALI, call.route.baseUrl, `/api/v1/tasks/${id}`);
  if (!address.ok) return undefined;
  const { 'content-type': _body, ...headers } = operation.headers(call);
  const { proxy } = call.route.settings;
  return {
    afterMs: asked === 0 ? FIRST_LOOK_MS : NEXT_LOOK_MS,
    request: {
      method: 'GET',
      url: address.value,
      headers,
      body: undefined,
      ...(proxy === undefined || proxy === '' ? {} : { proxy }),
    },
  };
}

/** Ali DashScope: OpenAI's format for texts, its own for images, reranking and multimodal embeddings. */
export const ali: Provider = {
  ...base,
  defaultModels: [...new Set([...base.defaultModels, ...MORE_MODELS])],
  itemBounds: {
    embed: [
      {
        most: 10,
        models: /text-embedding-v(?:[3-9]|\d\d)/,
        source: 'https://doc.agentscope.io, which repeats the page of the vendor (read 2026-11-29)',
      },
      {
        most: 20,
        models: MULTIMODAL_EMBEDDINGS,
        source: 'not read; the figure of its page for multimodal models',
      },
      {
        most: 25,
        source: 'https://doc.agentscope.io, which repeats the page of the vendor (read 2026-11-29)',
      },
    ],
    rerank: [{ most: 500, source: 'not read; the figure of its page for gte-rerank' }],
  },
  operations: {
    ...base.operations,
    chat: [
      ...(base.operations.chat ?? []),
      messagesOperation({
        address: ({ baseUrl }) => nativeAddress(ALI, baseUrl, '/apps/anthropic/v1/messages'),
        key: 'bearer',
        isClaude: false,
        counts: false,
        serves: (call) => MESSAGES_MODELS.test(modelOf(call)),
        describe: () => DESCRIPTION,
      }),
    ],
    embed: [
      nativeOperation(
        ALI,
        aliMultimodalEmbed,
        '/api/v1/services/embeddings/multimodal-embedding/multimodal-embedding',
        { serves: (call) => MULTIMODAL_EMBEDDINGS.test(modelOf(call)) },
      ),
      ...(base.operations.embed ?? []).map((operation) => ({
        ...operation,
        serves: (call: ProviderCall) => !MULTIMODAL_EMBEDDINGS.test(modelOf(call)),
      })),
    ],
    rerank: [nativeOperation(ALI, aliRerank, '/api/v1/services/rerank/text-rerank/text-rerank')],
    image: [conversation, textTask, editTask],
  },
};
