import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { LIBRARY_FORMAT } from './chat/id.js';
import { libraryChat } from './chat/index.js';
import { codedFailures, codeOf } from '../shared/coded-failures.js';
import { bearerHeaders, nativeOperation, type NativeVendor } from '../shared/native-operations.js';
import type { Provider } from '../provider.js';

const VENDOR: NativeVendor = {
  defaultBaseUrl: 'https://api.aiproxy.io',
  ownPath: /\/api\/library(?:\/ask)?$/,
};

/** Libraries of documents at AI Proxy; the channel's free field names the library. */
export const aiproxyLibrary: Provider = {
  id: 'aiproxy-library',
  channelTypes: [
    {
      code: 21,
      name: 'AIProxyLibrary',
      form: { isOffered: false, other: 'library_id', otherExample: '6509…', needsOther: true },
    },
  ],
  operations: {
    chat: [
      {
        ...nativeOperation(VENDOR, libraryChat, '/api/library/ask'),
        ...codedFailures({
          read: (document) => {
            const failure = documentOf(document);
            return { code: codeOf(failure['errCode']), message: textOf(failure['message']) };
          },
          // Its codes are undocumented: only those equal to an HTTP status show whether the caller or the vendor failed.
          statusOf: (code) => (/^[45]\d\d$/.test(code) ? Number(code) : undefined),
        }),
        adapt: ({ route }) => ({
          upstreamModel: route.upstreamModel,
          change: (request) => ({
            ...request,
            vendorOptions: { ...request.vendorOptions, [LIBRARY_FORMAT]: { libraryId: route.other.trim() } },
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
