import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import type { UpstreamFormat, ReplyReader } from '../../formats/contract/api-format.js';
import { codedFailures, codeOf, statusTable } from '../shared/coded-failures.js';
import {
  bearerHeaders,
  nativeAddress,
  nativeOperation,
  type NativeVendor,
} from '../shared/native-operations.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import type { Provider } from '../provider.js';

const VENDOR: NativeVendor = {
  defaultBaseUrl: 'https://spark-api-open.xf-yun.com',
  ownPath: /\/v[12](?:\/chat\/completions)?$/,
};

/** Models by the version they were called with at the older interface. */
const MODELS: ReadonlyMap<string, string> = new Map([
  ['v1.1', 'lite'],
  ['v2.1', 'generalv2'],
  ['v3.1', 'generalv3'],
  ['v3.5', 'generalv3.5'],
  ['v4.0', '4.0Ultra'],
]);
const DEFAULT_VERSION = 'v2.1';

/** The model that thinks before it answers, and its preview, which has a host of its own. */
const X1 = /^x1(-preview)?$/i;
const PREVIEW_HOST = 'https://spark-api-open-preview.xf-yun.com';

/** `SparkDesk-v3.5` names its version; `SparkDesk` has the channel's; names of today are names. */
function modelOf(model: string, other: string): string {
  const named = /^SparkDesk(?:-(v[\d.]+|x1(?:-preview)?))?$/i.exec(model);
  if (named === null) return model;
  const version = named[1] ?? (other.trim() === '' ? DEFAULT_VERSION : other.trim());
  return MODELS.get(version.toLowerCase()) ?? (X1.test(version) ? version.toLowerCase() : version);
}

/** The pair of keys of the older interface opens this one, joined by a colon; a key without bars is the password itself. */
function sparkPassword(credential: string): string {
  const [, secret = '', key = ''] = credential.split('|').map((part) => part.trim());
  return credential.includes('|') ? `${key}:${secret}` : credential;
}

/** https://www.xfyun.cn/doc/spark/HTTP%E8%B0%83%E7%94%A8%E6%96%87%E6%A1%A3.html (read 2026-11-24). */
const STATUSES = statusTable([
  [400, '10013 10014 10019 10021 10163 10907'],
  [402, '11201'],
  [403, '10005 11200'],
  [429, '10007 10008 11202 11203'],
  [503, '10012 10110'],
]);

/**
 * OpenAI's grammar under a name of its own: answers have neither an id nor a model, and some no reason to end, so they never pass as
 * they came.
 */
const sparkChat: UpstreamFormat<'chat'> = {
  ...openaiChat,
  id: 'spark-chat',
  openReplyReader: (call) => withEnd(openaiChat.openReplyReader?.(call)),
};

/** A stream that came to its end mark without a reason ended by itself. */
function withEnd(inner: ReplyReader | undefined): ReplyReader {
  let isEnded = false;
  return {
    read: (data, name) => {
      const events = inner?.read(data, name) ?? [];
      isEnded ||= events.some(({ type }) => type === 'choice-end');
      return events;
    },
    finish: () => {
      const events = inner?.finish() ?? [];
      if (isEnded || events.some(({ type }) => type === 'choice-end')) return events;
      const finish = { unified: 'stop', raw: undefined } as const;
      const last = events.map((event) => (event.type === 'reply-end' ? { ...event, finish } : event));
      return last.toSpliced(Math.max(0, last.length - 1), 0, { type: 'choice-end', choice: 0, finish });
    },
  };
}

/** The bound of `user` is that of the older interface. */
const SPARK: VendorDescription = {
  ...CONSERVATIVE,
  source: { links: ['https://github.com/langgenius/dify/pull/2983'], read: '2026-11-29' },
  user: { max: 32 },
};

/** Spark of iFlytek, by its HTTP interface: OpenAI's grammar with codes of its own. */
export const spark: Provider = {
  id: 'spark',
  channelTypes: [
    {
      code: 18,
      name: 'Xunfei Spark',
      form: {
        keyFormat: 'token_or_three_parts',
        keyExample: 'APPID|APISecret|APIKey',
        other: 'model_version',
        otherExample: 'v2.1',
        defaultOther: 'v2.1',
        otherIsAddressPart: true,
      },
    },
  ],
  operations: {
    chat: [
      {
        ...nativeOperation(VENDOR, sparkChat, '', { describe: () => SPARK }),
        address: ({ route }) => {
          const x1 = X1.exec(route.upstreamModel);
          const isPreview = x1?.[1] !== undefined && route.baseUrl === '';
          const vendor = isPreview ? { ...VENDOR, defaultBaseUrl: PREVIEW_HOST } : VENDOR;
          return nativeAddress(vendor, route.baseUrl, `/${x1 === null ? 'v1' : 'v2'}/chat/completions`);
        },
        ...codedFailures({
          read: (document) => {
            const failure = documentOf(document);
            const inner = documentOf(failure['error']);
            return {
              code: codeOf(inner['code'] ?? failure['code']),
              message: textOf(inner['message']) ?? textOf(failure['message']),
            };
          },
          statusOf: (code) => STATUSES.get(code),
        }),
        headers: ({ route, shape }) =>
          bearerHeaders(
            sparkPassword(route.credential),
            shape.stream ? 'text/event-stream' : 'application/json',
          ),
        adapt: ({ route }) => ({ upstreamModel: modelOf(route.upstreamModel, route.other) }),
      },
    ],
  },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: [
    'SparkDesk',
    'SparkDesk-v1.1',
    'SparkDesk-v2.1',
    'SparkDesk-v3.1',
    'SparkDesk-v3.5',
    'SparkDesk-v4.0',
    'SparkDesk-x1',
  ],
  modelListAddress: () => undefined,
  modelListHeaders: (route) => bearerHeaders(sparkPassword(route.credential), 'application/json'),
};
