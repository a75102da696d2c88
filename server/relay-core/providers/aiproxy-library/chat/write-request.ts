import type { ChatRequest } from '../../../model/chat.js';
import type { Warning } from '../../../model/warning.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import {
  warnOfOtherFormatFields,
  warnOfLost,
  warnOfModelSettings,
} from '../../../formats/shared/fields/dropped-fields.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { writeTranscript } from '../../../formats/shared/requests/write-transcript.js';
import { LIBRARY_FORMAT } from './id.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';

/** Neutral request → body of `/api/library/ask`. The library stands in the format's own options. */
export function writeLibraryRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const query = writeTranscript(request.messages, (part) => {
    if (!supportsPart(part))
      warnings.push({ setting: 'messages', reason: `an earlier answer's ${part.type} was left out` });
    return undefined;
  });
  const body: Record<string, unknown> = {
    model: edits.upstreamModel,
    query,
    libraryId: request.vendorOptions?.[LIBRARY_FORMAT]?.['libraryId'] ?? '',
    stream: request.stream,
  };
  warnOfModelSettings(request, 'a library', warnings);
  warnOfLost(request, ['user'], warnings);
  warnOfOtherFormatFields(request.vendorOptions, LIBRARY_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** A question is words. */
export const supportsPart = supportsTextAnd();
