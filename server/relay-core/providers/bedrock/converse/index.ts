import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { CONVERSE_FORMAT } from './id.js';
import { ConverseMeter } from './meter.js';
import { answerToolOfCall, readConverseReply } from './read-reply.js';
import { ConverseReplyReader } from './reply-reader.js';
import { CONVERSE_ROOTS } from './tool-roots.js';
import { supportsPart } from './media-formats.js';
import { writeConverseRequest } from './write-request.js';

/** Amazon Bedrock's Converse grammar: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11-21). */
export const bedrockConverse: UpstreamFormat<'chat'> = {
  id: CONVERSE_FORMAT,
  // The model stands in the address; a body of this format holds none.
  capPlaces: ['inferenceConfig.maxTokens'],
  responseFormatsAreObjects: true,
  toolRoots: CONVERSE_ROOTS,
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: writeConverseRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  framingOf: () => 'aws-event-stream',
  openMeter: () => new ConverseMeter(),
  readReply: readConverseReply,
  openReplyReader: (call) => new ConverseReplyReader(answerToolOfCall(call)),
};
