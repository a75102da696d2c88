import { COZE_FORMAT } from './chat/id.js';
import { cozeChat } from './chat/index.js';
import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { codedFailures, codeOf, statusTable } from '../shared/coded-failures.js';
import {
  bearerHeaders,
  nativeAddress,
  nativeOperation,
  type NativeVendor,
} from '../shared/native-operations.js';
import type { Provider } from '../provider.js';

const VENDOR: NativeVendor = {
  defaultBaseUrl: 'https://api.coze.cn',
  ownPath: /\/v3(?:\/chat)?$/,
};

/** https://www.coze.com/docs/developer_guides/coze_error_codes (read 2026-11-24). */
const STATUSES = statusTable([
  [400, '4000 4015 4020 requires_action'],
  [401, '4019 4100 4101'],
  [402, '4010 4011 4027 4028 4033'],
  [404, '4001 4002 4003 4004 4200'],
  [409, '4016'],
  [429, '4008 4009 4013'],
  [500, '5000'],
]);
/** A model of the bot is at its limit. */
const MODEL_LIMIT = /^702\d{6}$/;

/** Bots of Coze, version 3; the channel's free field names the bot. */
export const coze: Provider = {
  id: 'coze',
  channelTypes: [
    {
      code: 49,
      name: 'Coze',
      form: { keyExample: 'pat_…', other: 'bot_id', otherExample: '7379462189365198898', needsOther: true },
    },
  ],
  operations: {
    chat: [
      {
        ...nativeOperation(VENDOR, cozeChat, '/v3/chat'),
        ...codedFailures({
          read: (document) => {
            const failure = documentOf(document);
            return { code: codeOf(failure['code']), message: textOf(failure['msg']) };
          },
          statusOf: (code) => (MODEL_LIMIT.test(code) ? 429 : STATUSES.get(code)),
        }),
        headers: ({ route }) => bearerHeaders(route.credential, 'text/event-stream'),
        // A chat goes on at the vendor when its stream is closed.
        cancel: (underWay, route) => {
          const address = nativeAddress(VENDOR, route.baseUrl, '/v3/chat/cancel');
          const { proxy } = route.settings;
          if (!address.ok) return undefined;
          return {
            method: 'POST',
            url: address.value,
            headers: bearerHeaders(route.credential, 'application/json'),
            body: Buffer.from(JSON.stringify(underWay)),
            ...(proxy === undefined || proxy === '' ? {} : { proxy }),
          };
        },
        adapt: ({ route }) => ({
          upstreamModel: route.upstreamModel,
          change: (request) => ({
            ...request,
            vendorOptions: { ...request.vendorOptions, [COZE_FORMAT]: { bot_id: route.other.trim() } },
          }),
        }),
      },
    ],
  },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: [],
  modelListAddress: () => undefined,
  modelListHeaders: (route) => bearerHeaders(route.credential, 'application/json'),
};
