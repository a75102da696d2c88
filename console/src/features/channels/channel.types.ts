/** A kind of upstream that this gateway can call. */
export interface ChannelType {
  readonly code: number;
  readonly name: string;
  /** Default address, shown as what an empty field means; undefined = the operator must name one. */
  readonly address?: string;
  /** The base address is used as it stands. */
  readonly fullAddress?: boolean;
}

/** Types offered in the form. Names of companies are the same in every language. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  { code: 1, name: 'OpenAI', address: 'https://api.openai.com' },
  { code: 8, name: 'OpenAI-compatible', fullAddress: true },
  { code: 43, name: 'DeepSeek', address: 'https://api.deepseek.com' },
  { code: 4, name: 'Ollama', address: 'http://localhost:11434' },
  { code: 20, name: 'OpenRouter', address: 'https://openrouter.ai/api' },
  { code: 17, name: 'Alibaba Qwen', address: 'https://dashscope.aliyuncs.com' },
  { code: 25, name: 'Moonshot', address: 'https://api.moonshot.cn' },
  { code: 26, name: 'Zhipu GLM', address: 'https://open.bigmodel.cn' },
  { code: 40, name: 'SiliconFlow', address: 'https://api.siliconflow.cn' },
  { code: 42, name: 'Mistral', address: 'https://api.mistral.ai' },
  { code: 45, name: 'Volcano Engine', address: 'https://ark.cn-beijing.volces.com' },
  { code: 46, name: 'Baidu Qianfan', address: 'https://qianfan.baidubce.com' },
  { code: 48, name: 'xAI', address: 'https://api.x.ai' },
  { code: 27, name: 'Perplexity', address: 'https://api.perplexity.ai' },
  { code: 31, name: '01.AI', address: 'https://api.lingyiwanwu.com' },
];

/** Types whose balance can be read at the provider. */
export const WITH_BALANCE: ReadonlySet<number> = new Set([1, 8, 20, 25, 40, 43]);

export function channelType(code: number): ChannelType | undefined {
  return CHANNEL_TYPES.find((type) => type.code === code);
}
