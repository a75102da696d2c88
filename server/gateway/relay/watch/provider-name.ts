import { CHANNEL_TYPE_NAMES } from '../../../relay-core/providers/registry.js';

/** Names of the semantic conventions that are not just the vendor's own in lower case. */
const KNOWN_NAMES: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  'aws bedrock': 'aws.bedrock',
  gemini: 'gcp.gemini',
  palm: 'gcp.gen_ai',
  'vertex ai': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** `gen_ai.provider.name` of a channel type; unknown ones are called by their number. */
export function providerName(channelType: number): string {
  const own = (CHANNEL_TYPE_NAMES.get(channelType) ?? `type-${channelType}`).toLowerCase();
  return KNOWN_NAMES[own] ?? own.replaceAll(/[^a-z0-9.]+/g, '_');
}
