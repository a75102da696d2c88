import { documentOf, textOf } from '../formats/shared/fields/json-fields.js';
import type { AskedResponse } from './asked-responses.js';
import { type Conversation, sumInput } from './conversation.js';
import { sizeOf } from './item-size.js';
import type { RealtimeFrame } from './realtime-frame.js';
import { formatsIn, outputCapIn, type SessionSettings } from './session-settings.js';
import { asPcm } from './sound-length.js';

/** Reads the responses that events of the client request. */
export class RequestReader {
  /** Requests read before they pass; a refused frame is not kept for it. */
  private readonly known = new WeakMap<RealtimeFrame, AskedResponse>();

  constructor(
    private readonly conversation: Conversation,
    private readonly settings: SessionSettings,
  ) {}

  /** The request of an event, by the conversation as it was at the first read. */
  read(frame: RealtimeFrame): AskedResponse {
    const known = this.known.get(frame);
    if (known !== undefined) return known;
    const asked = this.readNew(frame);
    this.known.set(frame, asked);
    return asked;
  }

  /** Sound in an event of the client, in bytes of PCM. */
  soundIn(frame: RealtimeFrame): number {
    return asPcm(frame.audioLength, this.settings.heardBytesPerSecond);
  }

  private readNew(frame: RealtimeFrame): AskedResponse {
    const response = documentOf(frame.members['response']);
    const setUp = this.conversation.setUpIn(response);
    const items = sizeOf(response['input']);
    const heardBytes = this.soundIn(frame);
    const hasOwn = Array.isArray(response['input']) || items.texts.length > 0;
    const own = this.conversation.readingOf(setUp, items, heardBytes);
    const all = this.conversation.reading(setUp);
    return {
      eventId: textOf(frame.members['event_id']),
      cap: outputCapIn(response),
      spokenBytesPerSecond: formatsIn(response).spoken,
      isApart: response['conversation'] === 'none' || hasOwn,
      setUp,
      readsConversation: !hasOwn,
      own: { images: items.images, heardBytes },
      // Items that are named stand in the conversation.
      input: !hasOwn ? all : items.isReference ? sumInput(own, all) : own,
    };
  }
}
