import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { ThoughtForm, VendorDescription } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import type { GatewayName } from '../../ports/gateway-name.js';
import { endUserId } from './end-user-id.js';
import { NO_THINKING, NOT_WHILE_FORCED, NOT_WHILE_THINKING, yieldsToForcedTool } from './forced-choice.js';
import { joinInstructions } from './join-instructions.js';
import { withVendorsTools } from './responses-tools.js';
import { UNKNOWN_MEMBER } from './passed-members.js';
import { thinkingPart } from './passed-thoughts.js';
import { withUsualDetail } from './passed-images.js';
import { withImageNotes } from './unseen-images.js';

const CHAT_FORMAT = 'openai-chat';

export const MOVED = 'this vendor takes instructions at the head only: they were joined there';
export const NOT_STREAMED = 'this vendor thinks in streamed calls only';
export const NO_USER = 'this upstream takes no end user';
export const NO_CHOICE = 'this vendor has no such choice of tools';
export const NO_TIER = 'this vendor has no such tier';
export const NO_TOP_K = 'this vendor refuses it';

/** The description for a call in `format`: the form of earlier thoughts is for chats, every other format writes its own. */
export function describedFor(description: VendorDescription, format: string): VendorDescription {
  if (format === CHAT_FORMAT || description.thoughts === undefined) return description;
  const { thoughts: _thoughts, ...rest } = description;
  return rest;
}

/** A translated request as the described vendor takes it. Pure. @param warnings  gets what could not be fitted */
export function fitToDescription(
  request: ChatRequest,
  description: VendorDescription,
  upstreamModel: string,
  gateway: Pick<GatewayName, 'digestOf'>,
  warnings: Warning[],
): ChatRequest {
  const { messages, isMoved } = joinInstructions(request.messages, description.instructions);
  if (isMoved) warnings.push({ setting: 'messages', reason: MOVED });
  let fitted = messages === request.messages ? request : { ...request, messages };
  const { thoughts, images } = description;
  if (images !== undefined)
    fitted = { ...fitted, messages: withImageNotes(fitted.messages, images, upstreamModel, warnings) };
  if (description.knowsOriginalDetail !== true) fitted = withUsualDetails(fitted, warnings);
  if (thoughts !== undefined)
    fitted = { ...fitted, messages: fitted.messages.map((message) => withThoughts(message, thoughts)) };
  const { messageMembers: taken } = description;
  if (taken !== undefined)
    fitted = { ...fitted, messages: fitted.messages.map((message) => withMembers(message, taken, warnings)) };
  fitted = withVendorsTools(fitted, description, warnings);
  fitted = fitUser(fitted, description, gateway, warnings);
  fitted = fitSwitches(fitted, description, upstreamModel, warnings);
  fitted = fitToolChoice(fitted, description, warnings);
  fitted = fitForcedChoice(fitted, description, upstreamModel, warnings);
  fitted = fitTier(fitted, description, warnings);
  if (description.refusesTopK === true && fitted.topK !== undefined) {
    const { topK: _topK, ...rest } = fitted;
    warnings.push({ setting: 'top_k', reason: NO_TOP_K });
    fitted = rest;
  }
  return fitted;
}

function withUsualDetails(request: ChatRequest, warnings: Warning[]): ChatRequest {
  const hasDetail = (part: ContentPart): boolean => part.type === 'image' && part.detail !== undefined;
  if (!request.messages.some(({ content }) => content.some(hasDetail))) return request;
  const messages = request.messages.map((message): Message => ({
    ...message,
    content: message.content.map((part) => withUsualDetail(part, warnings)),
  }));
  return { ...request, messages };
}

function fitUser(
  request: ChatRequest,
  { user: rules }: VendorDescription,
  gateway: Pick<GatewayName, 'digestOf'>,
  warnings: Warning[],
): ChatRequest {
  const { user, ...rest } = request;
  if (user === undefined) return request;
  if (rules === false) {
    warnings.push({ setting: 'user', reason: NO_USER });
    return rest;
  }
  const id = endUserId(user, rules, gateway);
  if (rules.member === undefined) return id === user ? request : { ...request, user: id };
  const own = request.vendorOptions?.[CHAT_FORMAT];
  const vendorOptions = { ...request.vendorOptions, [CHAT_FORMAT]: { [rules.member]: id, ...own } };
  return { ...rest, vendorOptions };
}

/** Switches of reasoning that a call which is not streamed may not have. */
function fitSwitches(
  request: ChatRequest,
  { streamedSwitches = [], thinksByDefault }: VendorDescription,
  upstreamModel: string,
  warnings: Warning[],
): ChatRequest {
  const own = request.vendorOptions?.[CHAT_FORMAT];
  if (request.stream || streamedSwitches.length === 0) return request;
  const isOff = thinksByDefault?.test(upstreamModel) === true;
  const changed: Record<string, unknown> = { ...own };
  for (const name of streamedSwitches) {
    if (own?.[name] === true) warnings.push({ setting: name, reason: NOT_STREAMED });
    if (own?.[name] === true) delete changed[name];
    if (isOff) changed[name] = false;
  }
  return { ...request, vendorOptions: { ...request.vendorOptions, [CHAT_FORMAT]: changed } };
}

/** The request without a tier that the vendor has not, whichever API it came by. */
function fitTier(
  request: ChatRequest,
  { serviceTiers }: VendorDescription,
  warnings: Warning[],
): ChatRequest {
  if (serviceTiers === undefined || request.vendorOptions === undefined) return request;
  let { vendorOptions } = request;
  for (const format of OPENAI_FORMATS) {
    const { service_tier: tier, ...rest } = { ...vendorOptions[format] };
    if (typeof tier !== 'string' || serviceTiers.includes(tier)) continue;
    warnings.push({ setting: 'service_tier', reason: NO_TIER });
    vendorOptions = { ...vendorOptions, [format]: rest };
  }
  return vendorOptions === request.vendorOptions ? request : { ...request, vendorOptions };
}
const OPENAI_FORMATS = [CHAT_FORMAT, 'openai-responses'] as const;

function fitToolChoice(
  request: ChatRequest,
  { toolChoices }: VendorDescription,
  warnings: Warning[],
): ChatRequest {
  const { toolChoice, ...rest } = request;
  if (toolChoices === undefined || toolChoice === undefined || toolChoice.type === 'vendor') return request;
  if (toolChoices.includes(toolChoice.type)) return request;
  if (toolChoice.type === 'none') {
    const { tools: _tools, ...without } = rest;
    return without;
  }
  warnings.push({ setting: 'tool_choice', reason: NO_CHOICE });
  if (toolChoice.type !== 'named') return rest;
  const named = request.tools?.filter((tool) => tool.type === 'function' && tool.name === toolChoice.name);
  return named === undefined || named.length === 0 ? rest : { ...rest, tools: named };
}

/** A forced choice of a tool at a model that takes none while it thinks. */
function fitForcedChoice(
  request: ChatRequest,
  { thinkingChoices: rules }: VendorDescription,
  upstreamModel: string,
  warnings: Warning[],
): ChatRequest {
  const kind = request.toolChoice?.type;
  if (rules === undefined || (kind !== 'required' && kind !== 'named')) return request;
  const own = request.vendorOptions?.[CHAT_FORMAT];
  const yielding = yieldsToForcedTool(rules, upstreamModel, own?.['thinking']);
  if (yielding === 'nothing') return request;
  if (yielding === 'choice') {
    const { toolChoice: _toolChoice, ...rest } = request;
    warnings.push({ setting: 'tool_choice', reason: NOT_WHILE_THINKING });
    return rest;
  }
  warnings.push({ setting: 'reasoning', reason: NOT_WHILE_FORCED });
  const { reasoning: _reasoning, ...rest } = request;
  const { reasoning_effort: _effort, ...kept } = { ...own };
  const vendorOptions = { ...request.vendorOptions, [CHAT_FORMAT]: { ...kept, thinking: NO_THINKING } };
  return { ...rest, vendorOptions };
}

/** A message without the members that the vendor does not know. */
function withMembers(message: Message, taken: ReadonlySet<string>, warnings: Warning[]): Message {
  const own = Object.entries(message.vendorOptions?.[CHAT_FORMAT] ?? {});
  const kept = own.filter(([name]) => taken.has(name));
  if (kept.length === own.length) return message;
  for (const [name, value] of own)
    if (!taken.has(name) && value !== null) warnings.push({ setting: name, reason: UNKNOWN_MEMBER });
  return { ...message, vendorOptions: { ...message.vendorOptions, [CHAT_FORMAT]: Object.fromEntries(kept) } };
}

type ToolCall = Extract<ContentPart, { type: 'tool-call' }>;

/** A call without Google's signature beside it, which other vendors refuse. */
function withoutSignature(call: ToolCall): ToolCall {
  if (call.signature === undefined) return call;
  const { signature: _signature, ...plain } = call;
  return plain;
}

/** Earlier thoughts in the form of the vendor, and without the members that other vendors keep them in. */
function withThoughts(message: Message, form: ThoughtForm): Message {
  if (message.role !== 'assistant') return message;
  const {
    reasoning: _reasoning,
    reasoning_details: _details,
    ...own
  } = { ...message.vendorOptions?.[CHAT_FORMAT] };
  const texts = message.content.flatMap((part) =>
    part.type === 'reasoning' && part.text !== '' ? [part.text] : [],
  );
  const content = message.content.flatMap((part): readonly ContentPart[] => {
    if (part.type === 'tool-call') return [withoutSignature(part)];
    if (part.type !== 'reasoning') return [part];
    return part.text === '' || form !== 'thinking parts'
      ? []
      : [{ type: 'vendor', apiFormat: CHAT_FORMAT, value: thinkingPart(part.text) }];
  });
  const member = form === 'reasoning' && texts.length > 0 ? { reasoning: texts.join('\n') } : {};
  const { [CHAT_FORMAT]: _sent, ...others } = { ...message.vendorOptions };
  const members = { ...own, ...member };
  const vendorOptions = Object.keys(members).length === 0 ? others : { ...others, [CHAT_FORMAT]: members };
  const { vendorOptions: _options, ...rest } = message;
  // Neighbours without members of their own become one message.
  return { ...rest, content, ...(Object.keys(vendorOptions).length === 0 ? {} : { vendorOptions }) };
}
