/** Names of one-api's channel types, by its numbers, where they differ from ours; with the type here, or null where there is none. */
export const ONE_API_TYPES: ReadonlyMap<number, { readonly name: string; readonly type: number | null }> =
  new Map([
    [2, { name: 'API2D', type: 1 }],
    [4, { name: 'CloseAI', type: 1 }],
    [5, { name: 'OpenAI-SB', type: 1 }],
    [16, { name: 'Zhipu', type: 26 }],
    [26, { name: 'Baichuan', type: 1 }],
    [27, { name: 'Minimax', type: 35 }],
    [28, { name: 'Mistral', type: 42 }],
    [29, { name: 'Groq', type: 1 }],
    [30, { name: 'Ollama', type: 4 }],
    [31, { name: '01.AI', type: 31 }],
    [32, { name: 'StepFun', type: 1 }],
    [33, { name: 'AWS Claude', type: 33 }],
    [34, { name: 'Coze', type: 49 }],
    [35, { name: 'Cohere', type: 34 }],
    [36, { name: 'DeepSeek', type: 43 }],
    [37, { name: 'Cloudflare', type: 39 }],
    [38, { name: 'DeepL', type: null }],
    [39, { name: 'Together AI', type: 1 }],
    [40, { name: 'Doubao', type: 45 }],
    [41, { name: 'Novita', type: 1 }],
    [42, { name: 'Vertex AI', type: 41 }],
    [43, { name: 'Proxy', type: null }],
    [44, { name: 'SiliconFlow', type: 40 }],
    [45, { name: 'xAI', type: 48 }],
    [46, { name: 'Replicate', type: 56 }],
    [47, { name: 'Baidu v2', type: 46 }],
    [48, { name: 'Xunfei v2', type: 1 }],
    [49, { name: 'Ali Bailian', type: 17 }],
    [50, { name: 'OpenAI compatible', type: 1 }],
    [51, { name: 'Gemini (OpenAI compatible)', type: 1 }],
  ]);

/** Addresses of the types that become type 1 here, whose own address would be OpenAI's. */
export const ONE_API_ADDRESSES: ReadonlyMap<number, string> = new Map([
  [2, 'https://oa.api2d.net'],
  [4, 'https://api.closeai-proxy.xyz'],
  [5, 'https://api.openai-sb.com'],
  [26, 'https://api.baichuan-ai.com'],
  [29, 'https://api.groq.com/openai'],
  [32, 'https://api.stepfun.com'],
  [39, 'https://api.together.xyz'],
  [41, 'https://api.novita.ai/v3/openai'],
  [48, 'https://spark-api-open.xf-yun.com'],
  [51, 'https://generativelanguage.googleapis.com/v1beta/openai'],
]);

/** The last number of one-api's list that is known. */
const LAST_ONE_API_TYPE = 51;
/** From here on the two lists differ. */
const FIRST_OWN_TYPE = 26;

/** The type here of a channel of one-api. */
export function oneApiType(number: number): { readonly name: string; readonly type: number | null } {
  const known = ONE_API_TYPES.get(number);
  if (known !== undefined) return known;
  if (number > LAST_ONE_API_TYPE || number >= FIRST_OWN_TYPE || number < 1)
    return { name: String(number), type: null };
  return { name: String(number), type: number };
}
