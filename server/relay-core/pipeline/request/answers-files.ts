import { isAgentMessage } from '../../formats/shared/openai/agent-messages.js';
import { documentOf, listOf } from '../../formats/shared/fields/json-fields.js';
import { readField, type ScannedObject } from '../../framing/json-splice.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import { messageSpans } from './message-spans.js';

const CHAT = 'openai-chat';
const RESPONSES = 'openai-responses';
const MESSAGES = 'anthropic-messages';
/** Members and types of images in a turn of the assistant: of OpenRouter's answers, and of contents. */
const MARKS = ['"images"', '"image_url"'].map((mark) => Buffer.from(mark));

/**
 * Returns true for a chat with an image in an earlier answer, where the vendor takes images from users alone. Messages are looked at only
 * where the scan of the body found members of images and turns of the assistant.
 */
function holdsAnswersPictures(
  { bytes, members, scanFlags = 0 }: ScannedObject,
  description: VendorDescription | undefined,
): boolean {
  if (description?.answersHoldImages === true) return false;
  if ((scanFlags & SCAN_FLAGS.image) === 0 || (scanFlags & SCAN_FLAGS.assistant) === 0) return false;
  const span = members.get('messages');
  if (span === undefined) return false;
  return messageSpans(bytes, span).some(
    ({ role, start, end }) =>
      role === 'assistant' && MARKS.some((mark) => bytes.subarray(start, end).includes(mark)),
  );
}

/** Returns true for a call of the Responses API with messages between agents, which OpenAI alone knows. */
function holdsAgentMessages(document: ScannedObject): boolean {
  if (((document.scanFlags ?? 0) & SCAN_FLAGS.agent) === 0) return false;
  return listOf(readField(document, 'input')).some((item) => isAgentMessage(documentOf(item)));
}

/** Returns true for a call of the Messages API with a compaction, which Claude alone knows: it is on where edits of the context are. */
const holdsCompaction = ({ bytes, members }: ScannedObject): boolean =>
  members.has('context_management') && bytes.includes(COMPACTION);
const COMPACTION = Buffer.from('"compaction"');

/** Returns true for a vendor that only resembles the one whose API it has: OpenAI has every tool of Responses, Claude every block of Messages. */
export const isOtherVendor = (
  format: string,
  description: VendorDescription | undefined,
  { upstreamModel }: { readonly upstreamModel: string },
): boolean =>
  description !== undefined &&
  (format === MESSAGES ? !/claude/i.test(upstreamModel) : description.responsesTools !== undefined);

/** Returns true for a body with turns that the described vendor takes in another form only. */
export function holdsOtherTurns(
  document: ScannedObject,
  format: string,
  description: VendorDescription | undefined,
  route: { readonly upstreamModel: string },
): boolean {
  if (format === CHAT) return holdsAnswersPictures(document, description);
  if (format !== RESPONSES && format !== MESSAGES) return false;
  if (!isOtherVendor(format, description, route)) return false;
  return format === RESPONSES ? holdsAgentMessages(document) : holdsCompaction(document);
}
