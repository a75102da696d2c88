import { readField, scanObject, spliceFields } from '../../framing/json-splice.js';
import type { Warning } from '../../model/warning.js';
import { messageSpans } from './message-spans.js';

export const UNKNOWN_MEMBER = 'this vendor refuses messages with members it does not know';

/** A chat's body whose messages have the members that the vendor takes; messages without others keep their bytes. */
export function leaveOutMembers(body: Buffer, taken: ReadonlySet<string>, warnings: Warning[]): Buffer {
  const document = scanObject(body);
  const span = typeof document === 'string' ? undefined : document.members.get('messages');
  if (typeof document === 'string' || span === undefined) return body;
  const parts: Buffer[] = [];
  let at = 0;
  for (const [index, { start, end }] of messageSpans(document.bytes, span).entries()) {
    const message = scanObject(document.bytes.subarray(start, end));
    if (typeof message === 'string') continue;
    const changes = new Map<string, unknown>();
    for (const name of message.members.keys()) {
      if (taken.has(name)) continue;
      changes.set(name, undefined);
      if (readField(message, name) !== null)
        warnings.push({ setting: `messages.${index}.${name}`, reason: UNKNOWN_MEMBER });
    }
    if (changes.size === 0) continue;
    parts.push(document.bytes.subarray(at, start), spliceFields(message, changes));
    at = end;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, document.bytes.subarray(at)]);
}
