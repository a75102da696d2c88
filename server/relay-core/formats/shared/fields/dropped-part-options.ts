import type { ChatRequest } from '../../../model/chat.js';
import type { Tool } from '../../../model/tool.js';
import type { VendorOptions } from '../../../model/vendor-options.js';
import type { Warning } from '../../../model/warning.js';
import { documentOf } from './json-fields.js';
import { otherFormatField } from './dropped-fields.js';

type WebSearch = Extract<Tool, { readonly type: 'web-search' }>;

/** Options of a piece of content or a tool that one format has; writers of others have no place for them. */
const EXTRAS: Readonly<Record<string, readonly string[]>> = {
  'anthropic-messages': [
    'citations',
    'input_examples',
    'defer_loading',
    'allowed_callers',
    'eager_input_streaming',
  ],
  'gemini-generate': ['videoMetadata', 'mediaResolution'],
  'openai-responses': ['external_web_access', 'defer_loading'],
};

/** Place of a block that is kept whole although it became another kind of part. */
const AS_SENT = 'block (as sent)';

/** Formats in which a speaker may have a name. */
const NAMES_SPEAKERS: ReadonlySet<string> = new Set(['openai-chat', 'spark-chat']);

/** Settings of a search that a format cannot express; formats without a search drop the whole tool. */
const SEARCH_LOSSES: Readonly<Record<string, readonly (keyof WebSearch)[]>> = {
  'openai-chat': ['allowedDomains', 'blockedDomains', 'maxUses'],
  'spark-chat': ['allowedDomains', 'blockedDomains', 'maxUses'],
  'gemini-generate': ['location', 'contextSize'],
};
const SEARCH_OPTION_NAMES: Readonly<Partial<Record<keyof WebSearch, string>>> = {
  allowedDomains: 'allowed domains',
  blockedDomains: 'blocked domains',
  maxUses: 'a limit',
  location: 'a place',
  contextSize: 'how much is read',
};

/** Formats that keep no mark of the cache at a tool, though they do at content, or warn of that alone. */
const NO_TOOL_MARKS: ReadonlySet<string> = new Set(['bedrock-converse', 'gemini-generate']);

/**
 * Options of content and tools that the format the request leaves in has no place for.
 * @param apiFormat  the format it leaves in
 */
export function droppedPartOptions(request: ChatRequest, apiFormat: string): readonly Warning[] {
  const lost: Warning[] = [];
  const seek = (options: VendorOptions | undefined): void => {
    if (options === undefined) return;
    for (const [of, names] of Object.entries(EXTRAS)) {
      const own = of === apiFormat ? undefined : options[of];
      if (own === undefined) continue;
      const said = { ...documentOf(own[AS_SENT]), ...own };
      for (const name of names) if (said[name] !== undefined) lost.push(otherFormatField(name, of));
    }
  };
  for (const message of request.messages) {
    if (message.role === 'assistant') continue;
    for (const part of message.content) if (part.type !== 'vendor') seek(part.vendorOptions);
    if (message.role !== 'tool' && message.name !== undefined && !NAMES_SPEAKERS.has(apiFormat))
      lost.push({ setting: 'name', reason: 'speakers have no names at this upstream' });
  }
  for (const tool of request.tools ?? []) {
    if (tool.type !== 'vendor') seek(tool.vendorOptions);
    if (tool.type === 'function' && tool.cache !== undefined && NO_TOOL_MARKS.has(apiFormat))
      lost.push({ setting: 'cache_control', reason: 'tools bear no marks of the cache at this upstream' });
    if (tool.type === 'web-search') {
      const words = (SEARCH_LOSSES[apiFormat] ?? []).flatMap((name) =>
        tool[name] === undefined ? [] : [SEARCH_OPTION_NAMES[name] ?? name],
      );
      if (words.length > 0)
        lost.push({ setting: 'tools', reason: `a search takes no ${words.join(', ')} here` });
    }
  }
  return lost;
}
