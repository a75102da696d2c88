import { refusal, requestRefusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { MAX_JSON_DEPTH, MAX_JSON_NODES, MAX_OBJECT_KEYS } from '../framing/json-cursor.js';
import { type FrameFault, MAX_FRAME_TEXT_BYTES } from './realtime-frame.js';

/** Reasons a session ends for, in the gateway's words. */
export const FORBIDDEN_WORDS: RelayError = refusal('words-refused');
export const UNREADABLE_REFUSED: RelayError = requestRefusal(
  'Send every event as one JSON object: what cannot be read cannot be checked here.',
);
/** A lenient vendor may read an id, or a request, where a strict one sees no JSON. */
export const UNREADABLE_EVENT: RelayError = requestRefusal(
  'Send every event as one JSON object: this one could not be read.',
);
export const FRAME_TOO_MUCH: RelayError = refusal('event-too-much');
export const FAULT: RelayError = refusal('session-failed');
/** Requests whose response has not begun; vendors begin them one after the other. */
export const MAX_WAITING_RESPONSES = 64;
export const TOO_MANY_WAITING: RelayError = requestRefusal(
  `At most ${MAX_WAITING_RESPONSES} responses may wait to begin: wait for one before you ask for more.`,
);
const FRAME_REFUSALS: Readonly<Record<FrameFault, string>> = {
  'too-deep': `An event may not be nested deeper than ${MAX_JSON_DEPTH} levels.`,
  'too-many-values': `An event may not hold more than ${MAX_JSON_NODES} values.`,
  'too-many-keys': `An object in an event may not have more than ${MAX_OBJECT_KEYS} members.`,
  'too-much-text': `An event may not hold more than ${MAX_FRAME_TEXT_BYTES / 1024} KiB beside its sounds and pictures.`,
};
export const frameRefusal = (fault: FrameFault): RelayError => requestRefusal(FRAME_REFUSALS[fault]);
export const EXTENSION_FAILED: RelayError = {
  ...refusal('session-quota'),
  retryAfterMs: 1_000,
};
export const UPSTREAM_LEFT: RelayError = refusal('session-ended');
export const TOOK_TOO_LONG: RelayError = refusal('session-too-long');
export const WAS_IDLE: RelayError = refusal('session-silent');
export const EVENT_LATE: RelayError = refusal('event-late');
export const NO_ROOM: RelayError = { ...refusal('gateway-full'), retryAfterMs: 1_000 };
