import { spliceFields } from '../../../framing/json-splice.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { LIBRARY_FORMAT } from './id.js';
import { LibraryChatMeter } from './meter.js';
import { readLibraryReply } from './read-reply.js';
import { LibraryReplyReader } from './reply-reader.js';
import { supportsPart, writeLibraryRequest } from './write-request.js';

/** Questions to a library of documents at AI Proxy; its maker publishes no pages about it any more. */
export const libraryChat: UpstreamFormat<'chat'> = {
  id: LIBRARY_FORMAT,
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: writeLibraryRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new LibraryChatMeter(),
  readReply: readLibraryReply,
  openReplyReader: () => new LibraryReplyReader(),
};
