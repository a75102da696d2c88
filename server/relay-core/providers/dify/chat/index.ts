import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { DIFY_FORMAT, type DifyApplication } from './id.js';
import { DifyMeter } from './meter.js';
import { readDifyReply } from './read-reply.js';
import { DifyReplyReader } from './reply-reader.js';
import { supportsPart, writeDifyRequest } from './write-request.js';

/** Dify's grammar, by application: https://docs.dify.ai/api-reference (read 2026-11-21). */
const apiFormatOf = (application: DifyApplication): UpstreamFormat<'chat'> => ({
  id: application === 'chat' ? DIFY_FORMAT : `dify-${application}`,
  // The application stands behind the key; a body of this format names no model.
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => writeDifyRequest(application, request, edits),
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new DifyMeter(),
  readReply: readDifyReply,
  openReplyReader: () => new DifyReplyReader(),
});

export const difyChat = apiFormatOf('chat');
export const difyCompletion = apiFormatOf('completion');
export const difyWorkflow = apiFormatOf('workflow');
