import { aliMultimodalEmbed } from './embed.js';
import { aliMessageImages, aliPromptImages, aliSourceImages } from './images.js';
import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { aliRerank } from '../../formats/rerank/index.js';
import { messagesOperation } from '../anthropic/operations.js';
import { nativeAddress, nativeOperation, type NativeVendor } from '../shared/native-operations.js';
import { OPENAI_COMPATIBLE } from '../openai-compatible/provider.js';
import type { FollowReply, Provider, ProviderCall, ProviderOperation } from '../provider.js';
import { parseJson } from '../../../common/parse-json.js';

const ALI: NativeVendor = {
  defaultBaseUrl: 'https://dashscope.aliyuncs.com',
  // Operators often type the address of the compatible mode; everything else stands beside it.
  ownPath: /\/(?:compatible-mode|compatible-api|api\/v\d+|apps\/anthropic)(?:\/.*)?$/,
};
const SERVICES = '/api/v1/services/aigc';
const CONVERSATION_PATH = `${SERVICES}/multimodal-generation/generation`;

/** Models that answer a picture request at once; all others make a task of it. */
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

const base = OPENAI_COMPATIBLE.find(({ id }) => id === 'ali');
if (base === undefined) throw new Error('The table of look-alikes has lost Ali.');

const modelOf = ({ route }: ProviderCall): string => route.upstreamModel;
const isSynchronous = (call: ProviderCall): boolean => SYNCHRONOUS.test(modelOf(call));
const isEdit = ({ shape }: ProviderCall): boolean => shape.task === 'edit';
/** Wan's own editors take a list of pictures; 2.6 and later at a newer address. */
const isWan = (call: ProviderCall): boolean => modelOf(call).startsWith('wan');
const isNewWan = (call: ProviderCall): boolean => /^wan2\.[67]/.test(modelOf(call));

/** Pictures at once: the prompt and the pictures to start from are one message. */
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

/** Ali DashScope: OpenAI's grammar for texts, its own for pictures, rankings and mixed vectors. */
export const ali: Provider = {
  ...base,
  defaultModels: [...new Set([...base.defaultModels, ...MORE_MODELS])],
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
