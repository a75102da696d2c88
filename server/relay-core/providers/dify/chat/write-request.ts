import { createHash } from 'node:crypto';
import type { ChatRequest, Message } from '../../../model/chat.js';
import type { Warning } from '../../../model/warning.js';
import { isDocument } from '../../../formats/shared/fields/json-fields.js';
import {
  warnOfOtherFormatFields,
  warnOfModelSettings,
} from '../../../formats/shared/fields/dropped-fields.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import { DIFY_FORMAT, type DifyApplication } from './id.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { writeTranscript } from '../../../formats/shared/requests/write-transcript.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';

/** Neutral request → body of `chat-messages`, `completion-messages` or `workflows/run`. The application knows its model. */
export function writeDifyRequest(
  application: DifyApplication,
  request: ChatRequest,
  edits: RequestEdits,
): WrittenRequest {
  const warnings: Warning[] = [];
  const files: Record<string, unknown>[] = [];
  const query = writeQuery(request.messages, files, warnings);
  const inputs = callersInputs(request);
  const body: Record<string, unknown> = {
    inputs: application === 'chat' ? inputs : { query, ...inputs },
    response_mode: request.stream ? 'streaming' : 'blocking',
    user: request.user ?? anonymousUser(query),
  };
  if (application === 'chat') {
    body['query'] = query;
    body['auto_generate_name'] = false;
  }
  if (files.length > 0) body['files'] = files;
  warnOfModelSettings(request, 'a Dify application', warnings);
  warnOfOtherFormatFields(request.vendorOptions, DIFY_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** Pictures and files are taken by their address only. */
export const supportsPart = supportsTextAnd('image', 'file');

/** The conversation in words; the files it shows stand beside them. */
const writeQuery = (
  messages: readonly Message[],
  files: Record<string, unknown>[],
  warnings: Warning[],
): string =>
  writeTranscript(messages, (part) => {
    if (part.type === 'image' && part.source.kind === 'url') {
      files.push({ type: 'image', transfer_method: 'remote_url', url: part.source.url });
    } else if (part.type === 'file' && part.source.kind === 'url') {
      files.push({ type: 'document', transfer_method: 'remote_url', url: part.source.url });
    } else if (!supportsPart(part)) {
      warnings.push({ setting: 'messages', reason: `an earlier answer's ${part.type} was left out` });
    }
    return undefined;
  });

/** Variables of the application, given under the vendor's own name. */
function callersInputs(request: ChatRequest): Readonly<Record<string, unknown>> {
  for (const options of Object.values(request.vendorOptions ?? {})) {
    if (isDocument(options['inputs'])) return options['inputs'];
  }
  return {};
}

/** The vendor wants a name for whoever asks; two calls with the same question may share it. */
const anonymousUser = (query: string): string =>
  `caller-${createHash('sha256').update(query).digest('hex').slice(0, 16)}`;
