import { Injectable } from '@nestjs/common';
import type { ChannelTypeFacts } from './channel-rules.js';

interface TypeRow {
  readonly name: string;
  /** Used when a channel names no address; empty = it must name one. */
  readonly address: string;
}

const TYPES: ReadonlyMap<number, TypeRow> = new Map([
  [1, { name: 'OpenAI', address: 'https://api.openai.com' }],
  [2, { name: 'Midjourney', address: 'https://oa.api2d.net' }],
  [3, { name: 'Azure', address: '' }],
  [4, { name: 'Ollama', address: 'http://localhost:11434' }],
  [5, { name: 'MidjourneyPlus', address: 'https://api.openai-sb.com' }],
  [6, { name: 'OpenAIMax', address: 'https://api.openaimax.com' }],
  [7, { name: 'OhMyGPT', address: 'https://api.ohmygpt.com' }],
  [8, { name: 'Custom', address: '' }],
  [9, { name: 'AILS', address: 'https://api.caipacity.com' }],
  [10, { name: 'AIProxy', address: 'https://api.aiproxy.io' }],
  [11, { name: 'PaLM', address: '' }],
  [12, { name: 'API2GPT', address: 'https://api.api2gpt.com' }],
  [13, { name: 'AIGC2D', address: 'https://api.aigc2d.com' }],
  [14, { name: 'Anthropic', address: 'https://api.anthropic.com' }],
  [15, { name: 'Baidu', address: 'https://aip.baidubce.com' }],
  [16, { name: 'Zhipu', address: 'https://open.bigmodel.cn' }],
  [17, { name: 'Ali', address: 'https://dashscope.aliyuncs.com' }],
  [18, { name: 'Xunfei', address: '' }],
  [19, { name: '360', address: 'https://api.360.cn' }],
  [20, { name: 'OpenRouter', address: 'https://openrouter.ai/api' }],
  [21, { name: 'AIProxyLibrary', address: 'https://api.aiproxy.io' }],
  [22, { name: 'FastGPT', address: 'https://fastgpt.run/api/openapi' }],
  [23, { name: 'Tencent', address: 'https://hunyuan.tencentcloudapi.com' }],
  [24, { name: 'Gemini', address: 'https://generativelanguage.googleapis.com' }],
  [25, { name: 'Moonshot', address: 'https://api.moonshot.cn' }],
  [26, { name: 'ZhipuV4', address: 'https://open.bigmodel.cn' }],
  [27, { name: 'Perplexity', address: 'https://api.perplexity.ai' }],
  [31, { name: 'LingYiWanWu', address: 'https://api.lingyiwanwu.com' }],
  [33, { name: 'AWS', address: '' }],
  [34, { name: 'Cohere', address: 'https://api.cohere.ai' }],
  [35, { name: 'MiniMax', address: 'https://api.minimax.chat' }],
  [36, { name: 'SunoAPI', address: '' }],
  [37, { name: 'Dify', address: 'https://api.dify.ai' }],
  [38, { name: 'Jina', address: 'https://api.jina.ai' }],
  [39, { name: 'Cloudflare', address: 'https://api.cloudflare.com' }],
  [40, { name: 'SiliconFlow', address: 'https://api.siliconflow.cn' }],
  [41, { name: 'VertexAI', address: '' }],
  [42, { name: 'Mistral', address: 'https://api.mistral.ai' }],
  [43, { name: 'DeepSeek', address: 'https://api.deepseek.com' }],
  [44, { name: 'MokaAI', address: 'https://api.moka.ai' }],
  [45, { name: 'VolcEngine', address: 'https://ark.cn-beijing.volces.com' }],
  [46, { name: 'BaiduV2', address: 'https://qianfan.baidubce.com' }],
  [47, { name: 'Xinference', address: '' }],
  [48, { name: 'xAI', address: 'https://api.x.ai' }],
  [49, { name: 'Coze', address: 'https://api.coze.cn' }],
  [50, { name: 'Kling', address: 'https://api.klingai.com' }],
  [51, { name: 'Jimeng', address: 'https://visual.volcengineapi.com' }],
  [52, { name: 'Vidu', address: 'https://api.vidu.cn' }],
  [53, { name: 'Submodel', address: 'https://llm.submodel.ai' }],
  [54, { name: 'DoubaoVideo', address: 'https://ark.cn-beijing.volces.com' }],
  [55, { name: 'Sora', address: 'https://api.openai.com' }],
  [56, { name: 'Replicate', address: 'https://api.replicate.com' }],
  [57, { name: 'ChatGPT Subscription (Codex)', address: 'https://chatgpt.com' }],
  [58, { name: 'Advanced Custom', address: '' }],
  [59, { name: 'Sub2API', address: '' }],
  [60, { name: 'New API', address: '' }],
]);

/** Channel type codes as stored in the table and by other consoles of this API family. */
@Injectable()
export class ChannelTypes implements ChannelTypeFacts {
  codes(): number[] {
    return [...TYPES.keys()];
  }

  isKnown(type: number): boolean {
    return TYPES.has(type);
  }

  nameOf(type: number): string {
    return TYPES.get(type)?.name ?? '';
  }

  defaultBaseUrl(type: number): string {
    return TYPES.get(type)?.address ?? '';
  }

  /** Built-in model names; empty = to be fetched or typed. */
  modelsOf(_type: number): readonly string[] {
    return [];
  }
}
