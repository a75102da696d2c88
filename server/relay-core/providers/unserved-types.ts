import type { ChannelType } from './channel-form.js';
import { names } from './shared/model-names.js';

/** A channel type that is known and not served: its name, and the defaults of its form. */
export interface UnservedType extends ChannelType {
  /** Empty = the channel must name one. */
  readonly defaultBaseUrl: string;
  readonly defaultModels: readonly string[];
}

/** Types that keep their numbers, and their rows of other installations. */
const ROWS: readonly UnservedType[] = [
  {
    code: 11,
    name: 'PaLM',
    telemetryName: 'gcp.gen_ai',
    defaultBaseUrl: '',
    defaultModels: names('chat-bison-001'),
  },
  {
    code: 16,
    name: 'Zhipu v3',
    form: { keyFormat: 'id_secret', keyExample: 'id.secret' },
    defaultBaseUrl: 'https://open.bigmodel.cn',
    defaultModels: names('chatglm_turbo chatglm_pro chatglm_std chatglm_lite'),
  },
  {
    code: 50,
    name: 'Kling',
    defaultBaseUrl: 'https://api.klingai.com',
    defaultModels: names('kling-v1 kling-v1-6 kling-v2-master'),
  },
  {
    code: 51,
    name: 'Jimeng',
    defaultBaseUrl: 'https://visual.volcengineapi.com',
    defaultModels: names('jimeng_vgfm_t2v_l20 jimeng_high_aes_general_v21_L'),
  },
  {
    code: 52,
    name: 'Vidu',
    defaultBaseUrl: 'https://api.vidu.cn',
    defaultModels: names('viduq2 viduq1 vidu2.0 vidu1.5'),
  },
  {
    code: 54,
    name: 'DoubaoVideo',
    defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
    defaultModels: names(`
        doubao-seedance-1-0-pro-250528 doubao-seedance-1-0-lite-t2v doubao-seedance-1-0-lite-i2v
        doubao-seedance-1-5-pro-251215 doubao-seedance-2-0-260128 doubao-seedance-2-0-fast-260128
      `),
  },
  {
    code: 55,
    name: 'Sora',
    defaultBaseUrl: 'https://api.openai.com',
    defaultModels: names('sora-2 sora-2-pro'),
  },
  {
    code: 56,
    name: 'Replicate',
    defaultBaseUrl: 'https://api.replicate.com',
    defaultModels: names('black-forest-labs/flux-1.1-pro'),
  },
  {
    code: 57,
    name: 'ChatGPT subscription',
    defaultBaseUrl: 'https://chatgpt.com',
    defaultModels: names(
      'gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.5 gpt-5.4 gpt-5.4-mini gpt-5.3-codex-spark',
    ),
  },
  { code: 58, name: 'Advanced custom', defaultBaseUrl: '', defaultModels: [] },
];

/** The same by code. */
export const UNSERVED_TYPES: ReadonlyMap<number, UnservedType> = new Map(ROWS.map((row) => [row.code, row]));
