import type { Operation } from '../../model/operation.js';
import type { ChatRequest, Message } from '../../model/chat.js';
import type { ImageRequest } from '../../model/image.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import type { Route } from '../../ports/channel-picker.js';
import { withAnswersPictures, withoutAnswersFiles } from '../../formats/answers-pictures.js';
import { withCompactedHistory } from '../../formats/compacted-history.js';
import { withoutAgentMessages } from '../../formats/shared/openai/agent-messages.js';
import { withoutFreeformTools } from '../../formats/shared/fields/freeform-tools.js';
import { type ToolNames, vendorToolNames, withToolNames } from '../../formats/shared/fields/tool-names.js';
import { withWrappedResponseFormat } from '../../formats/shared/fields/wrapped-response-format.js';
import { withWrappedTools } from '../../formats/shared/fields/wrapped-tools.js';
import type { NeutralRequest, UpstreamFormat } from '../../formats/contract/api-format.js';
import { isOtherVendor } from './answers-files.js';

// Changes to the neutral request before a vendor's format writes it.

/** The channel's own instructions: before the caller's when it insists, else only when the caller gave none. */
export function withSystemPrompt<Request extends NeutralRequest<Operation>>(
  request: Request,
  route: Route,
): Request {
  const { systemPrompt, systemPromptOverride } = route.settings;
  if (systemPrompt === undefined || systemPrompt === '' || !isChat(request)) return request;
  const hasOwn = request.messages.some(({ role }) => role === 'system' || role === 'developer');
  if (hasOwn && systemPromptOverride !== true) return request;
  const message = { role: 'system' as const, content: [{ type: 'text' as const, text: systemPrompt }] };
  return { ...request, messages: [message, ...request.messages] };
}

/** Items that only their own API has, as the turns that they stand for. */
export function compacted<Request extends ChatRequest>(
  request: Request,
  vendor: {
    readonly apiFormat: string;
    readonly description: VendorDescription | undefined;
    readonly upstreamModel: string;
  },
  warnings: Warning[],
): Request {
  const { apiFormat, description } = vendor;
  const isOther = isOtherVendor(apiFormat, description, vendor);
  const opened = withCompactedHistory(request, apiFormat, isOther, warnings);
  const known = withAnswersPictures(opened, apiFormat);
  return {
    ...request,
    ...(apiFormat === RESPONSES && !isOther ? known : withoutAgentMessages(known, warnings)),
  };
}

/** Files of earlier answers where the vendor takes them. */
export const withMovedFiles = <O extends Operation, Request extends NeutralRequest<O>>(
  request: Request,
  apiFormat: UpstreamFormat<O>,
  upstreamModel: string,
  warnings: Warning[],
): Request =>
  isChat(request)
    ? {
        ...request,
        ...withoutAnswersFiles(request, apiFormat as UpstreamFormat<'chat'>, upstreamModel, warnings),
      }
    : request;

/** The form of the answer in an object, where the vendor takes no other. */
export const withForm = <Request extends ChatRequest>(
  request: Request,
  clientFormat: string,
  vendor: { readonly id: string; readonly responseFormatsAreObjects?: true },
): Request => ({ ...request, ...withWrappedResponseFormat(request, clientFormat, vendor) });

/** Roles of instructions in the neutral model. */
const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer';
const IN_JSON = { type: 'text', text: 'Answer in JSON.' } as const;

/**
 * A request of another API for an answer in JSON without a schema, with the word JSON in its messages. OpenAI and compatible vendors refuse
 * `json_object` without it: "'messages' must contain the word 'json'"; at the Responses endpoint instructions do not count.
 */
export function withWordJson<Request extends NeutralRequest<Operation>>(
  request: Request,
  clientFormat: string,
  format: string,
): Request {
  const isResponses = format === RESPONSES;
  if (format === clientFormat || !(isResponses || format === CHAT)) return request;
  if (!isChat(request) || request.responseFormat?.type !== 'json') return request;
  const { messages } = request;
  const counted = isResponses ? messages.filter((message) => !isInstruction(message)) : messages;
  const hasWord = ({ content }: Message): boolean =>
    content.some((part) => part.type === 'text' && /json/i.test(part.text));
  if (counted.some(hasWord)) return request;
  if (!isResponses) {
    const first = messages.findIndex((message) => !isInstruction(message));
    const head = first < 0 ? messages.length : first;
    const instruction: Message = { role: 'system', content: [IN_JSON] };
    return { ...request, messages: [...messages.slice(0, head), instruction, ...messages.slice(head)] };
  }
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return {
    ...request,
    messages: messages.map((message, index): Message =>
      index === asked ? { ...message, content: [...message.content, IN_JSON] } : message,
    ),
  };
}

/** Vendors take a tool's arguments in objects only. */
export function inObjects<Request extends NeutralRequest<Operation>>(
  request: Request,
  wrapped: ReadonlySet<string> | undefined,
): Request {
  if (wrapped === undefined || !isChat(request)) return request;
  return { ...request, ...withWrappedTools(request, wrapped) };
}

/** Names of tools within the rules of the vendor. Vendors of the API of the caller get all names but those they reserve as they are. */
export function renamedFor(
  request: ChatRequest,
  clientFormat: string,
  { id, toolNames }: Pick<UpstreamFormat<'chat'>, 'id' | 'toolNames'>,
  description: VendorDescription | undefined,
): ToolNames | undefined {
  const { reservedToolNames, toolsBeginWithLetter } = description ?? {};
  const rule = id === clientFormat ? undefined : toolNames;
  if (rule === undefined && reservedToolNames === undefined && toolsBeginWithLetter !== true)
    return undefined;
  const first = toolsBeginWithLetter === true ? { beginsWithLetter: true as const } : {};
  return vendorToolNames(request, { ...(rule ?? ANY_NAME), ...first }, reservedToolNames);
}
const ANY_NAME = { longest: 1_000, characters: '\\s\\S' };

export const withVendorsNames = <Request extends NeutralRequest<Operation>>(
  request: Request,
  names: ToolNames | undefined,
): Request =>
  names === undefined || !isChat(request) ? request : { ...request, ...withToolNames(request, names) };

export function withKnownTools<O extends Operation, Request extends NeutralRequest<O>>(
  request: Request,
  apiFormat: UpstreamFormat<O>,
  description?: VendorDescription,
): Request {
  if (!isChat(request)) return request;
  const types = apiFormat.id === RESPONSES ? description?.responsesTools?.types : undefined;
  const takesFreeform = apiFormat.hasFreeformTools === true && types?.has('custom') !== false;
  return takesFreeform ? request : { ...request, ...withoutFreeformTools(request) };
}
const CHAT = 'openai-chat';
const RESPONSES = 'openai-responses';

export const isImage = (request: NeutralRequest<Operation>): request is ImageRequest =>
  'images' in request && 'task' in request;

export const isChat = (request: NeutralRequest<Operation>): request is ChatRequest => 'messages' in request;
