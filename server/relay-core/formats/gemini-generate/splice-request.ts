import { readField, spliceFields } from '../../framing/json-splice.js';
import { documentOf, isDocument, listOf, type Document } from '../shared/fields/json-fields.js';
import type { ParsedCall, RequestEdits } from '../contract/api-format.js';
import { camelFields, camelName } from '../shared/fields/proto-names.js';
import { FORBIDDEN_FIELDS } from '../shared/fields/request-fields.js';
import { memberOf } from './parse-call.js';
import { isVideoPage } from './read-part.js';

/** Members that would steer a gateway behind the upstream, or make the call dearer than its price. */
export const FORBIDDEN_GENERATE_FIELDS: readonly string[] = ['serviceTier', ...FORBIDDEN_FIELDS];

/**
 * Pass-through: the caller's own bytes with what must change and small repairs: a first turn
 * without a role is the user's, a link to a video's page gets its type.
 * @param dropsCallIds  the vendor refuses ids of calls and results
 */
export function spliceGenerateRequest(
  call: ParsedCall<'chat'>,
  edits: RequestEdits,
  dropsCallIds: boolean,
): Buffer {
  const { document } = call;
  const changes = new Map<string, unknown>();
  if (document.members.has('model')) changes.set('model', undefined);
  for (const name of document.members.keys()) {
    if (FORBIDDEN_GENERATE_FIELDS.includes(name) || edits.refusedMembers.includes(camelName(name))) {
      changes.set(name, undefined);
    }
  }
  if (edits.outputCap !== undefined) {
    const member = memberOf(document, 'generationConfig');
    const config = camelFields(documentOf(member === undefined ? {} : readField(document, member.key)));
    changes.set(member?.key ?? 'generationConfig', { ...config, maxOutputTokens: edits.outputCap });
  }
  const contents = repairedContents(call, dropsCallIds);
  if (contents !== undefined) changes.set('contents', contents);
  return changes.size === 0 ? document.bytes : spliceFields(document, changes);
}

const ROLE = Buffer.from('"role"');
const VIDEO_PAGES = [Buffer.from('youtu')];
const ID = Buffer.from('"id"');

/** Parsed only where something may be to repair; undefined = nothing is. */
function repairedContents(call: ParsedCall<'chat'>, dropsCallIds: boolean): unknown {
  const { bytes, members } = call.document;
  const span = members.get('contents');
  if (span === undefined) return undefined;
  const inside = bytes.subarray(span.start, span.end);
  const mayLackRole = inside[0] === 0x5b && !inside.includes(ROLE);
  const mayHavePage = VIDEO_PAGES.some((name) => inside.includes(name));
  const mayHaveIds = dropsCallIds && inside.includes(ID);
  if (!mayLackRole && !mayHavePage && !mayHaveIds) return undefined;
  const sent = readField(call.document, 'contents');
  const turns = Array.isArray(sent) ? sent : [sent];
  return turns.map((turn, position) => {
    if (!isDocument(turn)) return turn;
    const repaired: Record<string, unknown> = { ...turn };
    if (position === 0 && repaired['role'] == null) repaired['role'] = 'user';
    if (Array.isArray(turn['parts'])) {
      repaired['parts'] = listOf(turn['parts']).map((part) =>
        isDocument(part) ? repairedPart(part, dropsCallIds) : part,
      );
    }
    return repaired;
  });
}

const CALLS: ReadonlySet<string> = new Set(['functionCall', 'functionResponse']);

function repairedPart(part: Document, dropsCallIds: boolean): Document {
  const repaired: Record<string, unknown> = { ...part };
  for (const [key, value] of Object.entries(part)) {
    if (!isDocument(value)) continue;
    const name = camelName(key);
    if (dropsCallIds && CALLS.has(name)) {
      const { id: _id, ...rest } = value;
      repaired[key] = rest;
    } else if (name === 'fileData') {
      const file = camelFields(value);
      const isPage = typeof file['fileUri'] === 'string' && isVideoPage(file['fileUri']);
      if (isPage && file['mimeType'] == null) repaired[key] = { ...file, mimeType: 'video/webm' };
    }
  }
  return repaired;
}
