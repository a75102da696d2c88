import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { Warning } from '../../../model/warning.js';
import { documentOf, listOf, textOf, type Document } from '../fields/json-fields.js';

// Messages between the agents of one Codex session: OpenAI alone knows the item (https://github.com/openai/codex/issues/33551, read 2026-11-30).

const RESPONSES = 'openai-responses';
const AGENT_MESSAGE = 'agent_message';
/** A sealed text of OpenAI. Codex puts plain words of other models into the same member. */
const SEALED = /^gAAAA[\w-]{40,}={0,2}$/;
const NOTE = '[A part of this message can be read by the vendor that sealed it alone.]';
const LEFT_OUT = 'texts between agents that another vendor sealed were left out';

export const isAgentMessage = (item: Document): boolean => item['type'] === AGENT_MESSAGE;

/** A request for a vendor that does not know the item: each one is a turn of the user. */
export function withoutAgentMessages(request: ChatRequest, warnings: Warning[]): ChatRequest {
  if (!request.messages.some(({ content }) => content.some(isOne))) return request;
  return { ...request, messages: request.messages.flatMap((message) => apart(message, warnings)) };
}

const isOne = (part: ContentPart): boolean =>
  part.type === 'vendor' && part.apiFormat === RESPONSES && isAgentMessage(documentOf(part.value));

function apart(message: Message, warnings: Warning[]): readonly Message[] {
  if (message.role === 'tool' || !message.content.some(isOne)) return [message];
  const messages: Message[] = [];
  let run: ContentPart[] = [];
  const flush = (): void => {
    if (run.length > 0) messages.push({ ...message, content: run });
    run = [];
  };
  for (const part of message.content) {
    if (part.type !== 'vendor' || !isOne(part)) run.push(part);
    else {
      flush();
      messages.push({ role: 'user', content: textsOf(documentOf(part.value), warnings) });
    }
  }
  flush();
  return messages;
}

function textsOf(item: Document, warnings: Warning[]): readonly ContentPart[] {
  const names = [textOf(item['author']), textOf(item['recipient'])];
  const texts = listOf(item['content']).flatMap((entry): readonly string[] => {
    const part = documentOf(entry);
    const text = textOf(part['text']);
    if (text !== undefined) return [text];
    const sealed = textOf(part['encrypted_content']);
    if (sealed === undefined || !SEALED.test(sealed)) return sealed === undefined ? [] : [sealed];
    if (!warnings.some(({ reason }) => reason === LEFT_OUT))
      warnings.push({ setting: 'input', reason: LEFT_OUT });
    return [NOTE];
  });
  const head = `Message from ${names[0] ?? 'an agent'} to ${names[1] ?? 'this agent'}:`;
  return [{ type: 'text', text: [head, ...texts].join('\n') }];
}

const NAMESPACE = 'collaboration';
const CARRIERS: ReadonlySet<string> = new Set(['spawn_agent', 'send_message', 'followup_task']);

/**
 * Members of a call by which Codex knows that the words to an agent are not sealed; it takes them for a sealed text otherwise
 * (https://github.com/openai/codex/issues/37858, read 2026-11-30).
 */
export const plainMarkOf = ({ namespace, name }: Document): Document =>
  namespace === NAMESPACE && CARRIERS.has(textOf(name) ?? '') ? { encrypted_function_args: [] } : {};
