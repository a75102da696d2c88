import type { Framing } from '../../framing/framer.js';

/** Types of files that may be named to a client; others could make a browser run what a vendor wrote. */
const MEDIA_TYPES = /^(?:audio|image|video)\/[a-z0-9.+-]+(?:; ?[a-z0-9_-]+=[a-z0-9._-]+)*$/;

export function mediaType(header: string | string[] | undefined): string {
  const type = String(header ?? '').toLowerCase();
  return MEDIA_TYPES.test(type) && !type.startsWith('image/svg') ? type : 'application/octet-stream';
}

/** What a good reply is, by its type and by what was asked. Vendors that forget the type of their streams are believed. */
export function replyForm(reply: {
  readonly type: string;
  readonly asked: boolean;
  readonly framing: Framing;
  readonly canStream: boolean;
  readonly isMedia: boolean;
}): 'whole' | 'stream' | 'media' {
  const { type, asked, framing } = reply;
  const isJson = type.includes('json');
  if (reply.canStream) {
    const isStream =
      framing === 'sse' || framing === 'named-sse'
        ? type.startsWith('text/event-stream') || (asked && !isJson)
        : framing === 'json-lines' || framing === 'json-array'
          ? asked
          : type.startsWith('application/vnd.amazon.eventstream') || (asked && !isJson);
    if (isStream) return 'stream';
  }
  return reply.isMedia && !isJson ? 'media' : 'whole';
}
