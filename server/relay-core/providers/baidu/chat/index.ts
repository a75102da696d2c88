import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { BAIDU_CHAT_FORMAT } from './id.js';
import { BaiduChatMeter } from './meter.js';
import { readBaiduReply } from './read-reply.js';
import { BaiduReplyReader } from './reply-reader.js';
import { supportsPart, writeBaiduRequest } from './write-request.js';

/** ERNIE by its first interface: https://cloud.baidu.com/doc/WENXINWORKSHOP/index.html (read 2026-11-24). */
export const baiduChat: UpstreamFormat<'chat'> = {
  id: BAIDU_CHAT_FORMAT,
  toolRoots: [{ roots: PLAIN_ROOTS }],
  toolNames: USUAL_TOOL_NAMES,
  // The address names the model.
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: writeBaiduRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  capPlaces: ['max_output_tokens'],
  openMeter: () => new BaiduChatMeter(),
  readReply: readBaiduReply,
  openReplyReader: () => new BaiduReplyReader(),
};
