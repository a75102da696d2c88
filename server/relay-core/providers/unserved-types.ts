const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A channel type that is known and not served: what its form is filled with. */
export interface UnservedType {
  /** Empty = the channel must name one. */
  readonly defaultBaseUrl: string;
  readonly defaultModels: readonly string[];
}

/** Types that keep their numbers, and their rows of other installations. */
export const UNSERVED_TYPES: ReadonlyMap<number, UnservedType> = new Map([
  [11, { defaultBaseUrl: '', defaultModels: names('chat-bison-001') }],
  [
    16,
    {
      defaultBaseUrl: 'https://open.bigmodel.cn',
      defaultModels: names('chatglm_turbo chatglm_pro chatglm_std chatglm_lite'),
    },
  ],
  [
    50,
    {
      defaultBaseUrl: 'https://api.klingai.com',
      defaultModels: names('kling-v1 kling-v1-6 kling-v2-master'),
    },
  ],
  [
    51,
    {
      defaultBaseUrl: 'https://visual.volcengineapi.com',
      defaultModels: names('jimeng_vgfm_t2v_l20 jimeng_high_aes_general_v21_L'),
    },
  ],
  [52, { defaultBaseUrl: 'https://api.vidu.cn', defaultModels: names('viduq2 viduq1 vidu2.0 vidu1.5') }],
  [
    54,
    {
      defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
      defaultModels: names(`
        doubao-seedance-1-0-pro-250528 doubao-seedance-1-0-lite-t2v doubao-seedance-1-0-lite-i2v
        doubao-seedance-1-5-pro-251215 doubao-seedance-2-0-260128 doubao-seedance-2-0-fast-260128
      `),
    },
  ],
  [55, { defaultBaseUrl: 'https://api.openai.com', defaultModels: names('sora-2 sora-2-pro') }],
  [
    56,
    { defaultBaseUrl: 'https://api.replicate.com', defaultModels: names('black-forest-labs/flux-1.1-pro') },
  ],
  [
    57,
    {
      defaultBaseUrl: 'https://chatgpt.com',
      defaultModels: names(
        'gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.5 gpt-5.4 gpt-5.4-mini gpt-5.3-codex-spark',
      ),
    },
  ],
  [58, { defaultBaseUrl: '', defaultModels: [] }],
]);
