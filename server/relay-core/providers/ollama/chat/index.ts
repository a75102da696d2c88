import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { OLLAMA_CHAT_FORMAT } from './id.js';
import { OllamaChatMeter } from './meter.js';
import { callsBefore, readOllamaReply } from './read-reply.js';
import { OllamaReplyReader } from './reply-reader.js';
import { supportsPart, writeOllamaRequest } from './write-request.js';

/** Ollama's own chat grammar, `/api/chat`: https://docs.ollama.com/api/chat (read 2026-11-21). */
export const ollamaChat: UpstreamFormat<'chat'> = {
  id: OLLAMA_CHAT_FORMAT,
  capPlaces: ['options.num_predict'],
  // Its parser knows `type`, a text, `properties`, `required` and `$defs`, and passes over the rest.
  toolRoots: [{ roots: PLAIN_ROOTS }],
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: writeOllamaRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  framingOf: () => 'json-lines',
  openMeter: () => new OllamaChatMeter(),
  readReply: readOllamaReply,
  openReplyReader: (call) => new OllamaReplyReader(callsBefore(call)),
};
