import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { COHERE_CHAT_FORMAT } from './id.js';
import { CohereChatMeter } from './meter.js';
import { readCohereReply } from './read-reply.js';
import { CohereReplyReader } from './reply-reader.js';
import { supportsPart, writeCohereRequest } from './write-request.js';

/** Cohere's chat grammar, version 2: https://docs.cohere.com/reference/chat (read 2026-11-21). */
export const cohereChat: UpstreamFormat<'chat'> = {
  id: COHERE_CHAT_FORMAT,
  capPlaces: ['max_tokens'],
  responseFormatsAreObjects: true,
  toolRoots: [{ roots: PLAIN_ROOTS }],
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: writeCohereRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new CohereChatMeter(),
  readReply: readCohereReply,
  openReplyReader: () => new CohereReplyReader(),
};
