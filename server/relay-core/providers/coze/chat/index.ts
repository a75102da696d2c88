import { fail } from '../../../../common/result.js';
import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { COZE_FORMAT } from './id.js';
import { CozeChatMeter } from './meter.js';
import { CozeReplyReader } from './reply-reader.js';
import { supportsPart, writeCozeRequest } from './write-request.js';
import { refusal } from '../../../model/refusals.js';

/** Chats of Coze, version 3: https://www.coze.com/docs/developer_guides/chat_v3 (read 2026-11-24). */
export const cozeChat: UpstreamFormat<'chat'> = {
  id: COZE_FORMAT,
  // The bot knows its model; a body of this format names none.
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: writeCozeRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  framingOf: () => 'named-sse',
  openMeter: () => new CozeChatMeter(),
  readReply: () => fail(refusal('other-kind', { wanted: 'a chat reply' })),
  openReplyReader: () => new CozeReplyReader(),
};
