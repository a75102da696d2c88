import { Injectable } from '@nestjs/common';
import type { ChannelTypeFacts } from './channel-rules.js';

const DEFAULT_ADDRESSES: ReadonlyMap<number, string> = new Map([
  [1, 'https://api.openai.com'],
  [3, ''],
  [8, ''],
  [20, 'https://openrouter.ai/api'],
  [25, 'https://api.moonshot.cn'],
  [40, 'https://api.siliconflow.cn'],
  [41, ''],
  [43, 'https://api.deepseek.com'],
]);

@Injectable()
export class ChannelTypes implements ChannelTypeFacts {
  isKnown(type: number): boolean {
    return DEFAULT_ADDRESSES.has(type);
  }

  defaultBaseUrl(type: number): string {
    return DEFAULT_ADDRESSES.get(type) ?? '';
  }
}
