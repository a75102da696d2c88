import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { TENCENT_CHAT_FORMAT } from './id.js';
import { TencentChatMeter } from './meter.js';
import { readTencentReply } from './read-reply.js';
import { TencentReplyReader } from './reply-reader.js';
import { supportsPart, writeTencentRequest } from './write-request.js';

/** Hunyuan by its own interface: https://cloud.tencent.com/document/product/1729/105701 (read 2026-11-24). */
export const tencentChat: UpstreamFormat<'chat'> = {
  id: TENCENT_CHAT_FORMAT,
  toolRoots: [{ roots: PLAIN_ROOTS }],
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['Model', edits.upstreamModel]])),
  writeRequest: writeTencentRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new TencentChatMeter(),
  readReply: readTencentReply,
  openReplyReader: () => new TencentReplyReader(),
};
