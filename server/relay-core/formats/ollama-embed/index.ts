import { spliceMembers } from '../../framing/json-splice.js';
import { readVectors } from '../shared/embeddings/embed-reply.js';
import { listOf } from '../shared/fields/json-fields.js';
import { refuseTokenInputs, textsOf } from '../shared/embeddings/vector-encoding.js';
import { VectorMeter, vectorUsage } from '../shared/metering/vector-meter.js';
import type { UpstreamFormat } from '../contract/api-format.js';
import type { Warning } from '../../model/warning.js';
import { takeOutRefused } from '../shared/requests/take-out-refused.js';

/** Members a caller of any format may give for this vendor by their own names. */
const CALLERS_MEMBERS = ['truncate', 'options', 'keep_alive'] as const;

/** Ollama's own embedding grammar, `/api/embed`: https://docs.ollama.com/api/embed (read 2026-11-21). */
export const ollamaEmbed: UpstreamFormat<'embed'> = {
  id: 'ollama-embed',
  spliceRequest: ({ document }, edits) => spliceMembers(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: (request, edits) => {
    const body: Record<string, unknown> = {
      model: edits.upstreamModel,
      input: textsOf(request),
      ...(request.dimensions === undefined ? {} : { dimensions: request.dimensions }),
    };
    for (const options of Object.values(request.vendorOptions ?? {})) {
      for (const name of CALLERS_MEMBERS) if (name in options) body[name] = options[name];
    }
    const warnings: Warning[] = [];
    takeOutRefused(body, edits.refusedMembers, warnings);
    return { body: Buffer.from(JSON.stringify(body)), warnings };
  },
  refuseRequest: refuseTokenInputs,
  openMeter: () => new VectorMeter({ vectors: ['embeddings'], tokens: ['prompt_eval_count'] }),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) => listOf(document['embeddings']),
      (document) => vectorUsage(document['prompt_eval_count']),
    ),
};
