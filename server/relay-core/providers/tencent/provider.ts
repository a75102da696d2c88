import { documentOf, isDocument, textOf } from '../../formats/shared/fields/json-fields.js';
import { tencentChat } from './chat/index.js';
import { codedFailures, codeOf } from '../shared/coded-failures.js';
import { bearerHeaders, nativeOperation, type NativeVendor } from '../shared/native-operations.js';
import { OPENAI_PATHS } from '../openai-compatible/compatible-profile.js';
import { compatibleProvider } from '../openai-compatible/provider.js';
import { names } from '../shared/model-names.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import type { Provider, ProviderOperation } from '../provider.js';
import { isKeyPair, signTencent } from './signing.js';

const VENDOR: NativeVendor = { defaultBaseUrl: 'https://hunyuan.tencentcloudapi.com' };

/** Words of https://cloud.tencent.com/document/api/1729/105702 (read 2026-11-24); the first that fits decides. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/Exhausted|LowBalance|InArrears|ResourceInsufficient|ServiceStop/i, 402],
  [/LimitExceeded/i, 429],
  [/^AuthFailure/i, 401],
  [/IllegalDetected/i, 400],
  [/^(?:UnauthorizedOperation|OperationDenied)|NotActivated/i, 403],
  [/Timeout/i, 504],
  [/^(?:Invalid|Missing|Unknown|Unsupported|NoSuch)/i, 400],
  [/^(?:FailedOperation|InternalError|ResourceUnavailable)/i, 500],
];

/** The cloud's own interface, for keys of three parts. */
const native: ProviderOperation<'chat'> = {
  ...nativeOperation(VENDOR, tencentChat, '/', {
    serves: ({ route }) => isKeyPair(route.credential),
    describe: () => CONSERVATIVE,
  }),
  ...codedFailures({
    read: (document) => {
      const outer = documentOf(document);
      const inner = isDocument(outer['Response']) ? outer['Response'] : outer;
      const failure = documentOf(inner['Error']);
      return {
        code: codeOf(failure['Code']),
        message: textOf(failure['Message']) ?? textOf(failure['Msg']),
      };
    },
    statusOf: (code) => STATUSES.find(([words]) => words.test(code))?.[1],
  }),
  headers: ({ shape }) => bearerHeaders('', shape.stream ? 'text/event-stream' : 'application/json'),
  sign: (request, { route }, { clock }) =>
    signTencent(request, 'ChatCompletions', route.credential, clock.nowMs()),
};

/** For keys of one part. */
const base = compatibleProvider({
  id: 'tencent',
  channelTypes: [
    {
      code: 23,
      name: 'Tencent Hunyuan',
      form: { keyFormat: 'token_or_three_parts', keyExample: 'AppId|SecretId|SecretKey' },
    },
  ],
  defaultBaseUrl: 'https://tokenhub.tencentmaas.com',
  paths: OPENAI_PATHS,
  defaultModels: names(`
    hunyuan-lite hunyuan-standard hunyuan-standard-256K hunyuan-pro
  `),
  chat: { history: 'open-round', plainJson: true, completionsPath: '/v1/completions' },
});

/** Tencent Hunyuan: OpenAI's grammar with an API key, the cloud's own with its keys. */
export const tencent: Provider = {
  ...base,
  // The cloud's own interface has no list.
  modelListAddress: (route) => (isKeyPair(route.credential) ? undefined : base.modelListAddress(route)),
  operations: {
    ...base.operations,
    chat: [native].concat(
      (base.operations.chat ?? []).map((operation) => ({
        ...operation,
        serves: (call) => !isKeyPair(call.route.credential) && operation.serves?.(call) !== false,
      })),
    ),
  },
};
