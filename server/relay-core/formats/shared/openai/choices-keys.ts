const key = (name: string): Buffer => Buffer.from(name);
export const CHOICES = key('choices');
export const USAGE = key('usage');
export const ERROR = key('error');
export const X_GROQ = key('x_groq');
export const SERVICE_TIER = key('service_tier');
export const CREATED = key('created');
export const BASE_RESP = key('base_resp');
export const DELTA = key('delta');
export const MESSAGE = key('message');
export const FINISH_REASON = key('finish_reason');
export const ROLE = key('role');
export const ASSISTANT = key('assistant');
export const CONTENT = key('content');
export const REASONING_CONTENT = key('reasoning_content');
export const REASONING = key('reasoning');
export const REASONING_DETAILS = key('reasoning_details');
export const REFUSAL = key('refusal');
export const TOOL_CALLS = key('tool_calls');
export const FUNCTION_CALL = key('function_call');
export const FUNCTION = key('function');
export const INDEX = key('index');
export const CUSTOM = key('custom');
export const NAME = key('name');
export const ARGUMENTS = key('arguments');
export const INPUT = key('input');
export const AUDIO = key('audio');
export const TRANSCRIPT = key('transcript');
export const TEXT = key('text');
export const THINKING = key('thinking');
export const IMAGES = key('images');
export const DATA = key('data');
/** Further names of reasoning, at servers that took them from other APIs. */
export const MORE_REASONING = ['thinking', 'thoughts', 'thought', 'reasoning_text', 'thinking_content'].map(
  key,
);
/** Where vendors without an `error` member put the sentence of a failure. */
export const SENTENCES = ['message', 'detail', 'msg', 'err', 'error_msg', 'error_message', 'errors'].map(key);
/** Members of a message that are about it and not part of it. */
export const ABOUT_MESSAGE = ['name', 'id', 'index', 'type', 'tool_call_id', 'obfuscation', 'padding'].map(
  key,
);
/** Members of a piece of reasoning that is not shown. */
export const SEALS = ['data', 'signature'].map(key);
export const ABOUT_PART = ['type', 'id', 'index', 'signature', 'format', 'cache_control'].map(key);
