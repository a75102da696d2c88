import { CHAT } from './chat.js';
import { GEMINI, MESSAGES, RESPONSES } from './others.js';
import type { HostileStream } from './shared.js';

/** Hostile streams by the format of the vendor; made when they are played, since they are large. */
export const HOSTILE_STREAMS: Readonly<Record<HostileStream['format'], () => readonly HostileStream[]>> = {
  chat: CHAT,
  messages: MESSAGES,
  responses: RESPONSES,
  gemini: GEMINI,
};
