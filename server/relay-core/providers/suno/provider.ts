import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { SUNO_FORMAT, sunoApi } from '../../formats/suno-submit/index.js';
import { nativeOperation, type NativeVendor } from '../shared/native-operations.js';
import type { Provider } from '../provider.js';
import { readTaskRefusal } from '../shared/task-refusal.js';

const SUNO_PATH = /\/suno(?:\/(?:submit|fetch)(?:\/.*)?)?$/;
const VENDOR: NativeVendor = { defaultBaseUrl: '', ownPath: SUNO_PATH };

/** `{code, message, data}` inside a 200 whose code is not "success". */
const readRefusal = (document: unknown, route: Route): RelayError => ({
  ...readTaskRefusal('upstream-request-rejected', textOf(documentOf(document)['message']), route),
  upstreamStatus: 400,
});

/** Providers compatible with Suno-API; every channel has its own address. */
export const suno: Provider = {
  id: 'suno',
  channelTypes: [{ code: 36, name: 'Suno', form: { needsAddress: true } }],
  operations: {
    submit: [
      {
        ...nativeOperation(VENDOR, sunoApi, ({ shape }) => shape.submission?.path ?? ''),
        serves: ({ clientFormat }) => clientFormat === SUNO_FORMAT,
        readErrorDocument: readRefusal,
      },
    ],
  },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: ['suno_music', 'suno_lyrics'],
  taskPath: SUNO_PATH,
  modelListAddress: () => undefined,
  modelListHeaders: () => ({}),
};
