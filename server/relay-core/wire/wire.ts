import type { Result } from '../../common/result.js';
import type { ScannedObject } from '../framing/json-splice.js';
import type { CallShape } from '../model/call.js';
import type { ChatReply, ChatRequest } from '../model/chat.js';
import type { EmbeddingReply, EmbeddingRequest } from '../model/embedding.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { StreamEvent } from '../model/stream-event.js';
import type { Warning } from '../model/warning.js';
import type { ReplyMeter } from './reply-meter.js';

/** The neutral request and reply of each operation. */
export interface NeutralForms {
  readonly chat: { readonly request: ChatRequest; readonly reply: ChatReply };
  readonly embed: { readonly request: EmbeddingRequest; readonly reply: EmbeddingReply };
}
export type NeutralRequest<O extends Operation> = NeutralForms[O]['request'];
export type NeutralReply<O extends Operation> = NeutralForms[O]['reply'];

/** A caller's request, understood as far as the rooms need; translated only when a room asks. */
export interface ParsedCall<O extends Operation> {
  readonly shape: CallShape;
  /** The caller's bytes with their top-level members found; never changed, because a retry starts from them again. */
  readonly document: ScannedObject;
  /** The neutral request, read once. Fails: invalid-request. */
  neutral(): Result<NeutralRequest<O>, RelayError>;
}

/** What the gateway itself asks of an upstream request, whoever the caller is. */
export interface RequestEdits {
  readonly upstreamModel: string;
  /** Ask for the usage frame of a stream although the caller did not. */
  readonly reportUsage: boolean;
  /** The vendor refuses `stream_options`. */
  readonly dropStreamOptions: boolean;
  /** Output cap to send because no more could be held; undefined = as the caller asked. */
  readonly outputCap: number | undefined;
  /** The vendor reads the cap from `max_completion_tokens` only. */
  readonly usesCompletionCap: boolean;
  /** Top-level members the vendor refuses for this model. */
  readonly refusedMembers: readonly string[];
}

export interface WrittenRequest {
  readonly body: Buffer;
  readonly warnings: readonly Warning[];
}

/** The half of a wire a dialect needs: requests in, replies out. */
export interface FrontWire<O extends Operation> {
  readonly id: string;
  /** Mime type of a whole reply this wire writes. */
  readonly replyType: string;
  /**
   * @param pathModel  model named by the address; the body must agree with it
   * Fails: invalid-request.
   */
  parseCall(body: Buffer, pathModel: string | undefined): Result<ParsedCall<O>, RelayError>;
  writeReply(reply: NeutralReply<O>, context: ReplyContext): Buffer;
  /** Absent when the operation is never streamed. */
  openReplyWriter?(context: ReplyContext): ReplyWriter;
}

/** The half of a wire a provider needs: requests out, replies in. */
export interface BackWire<O extends Operation> {
  readonly id: string;
  /** Pass-through: the caller's bytes with only what the gateway must change. Same wire on both sides only. */
  spliceRequest(call: ParsedCall<O>, edits: RequestEdits): Buffer;
  writeRequest(request: NeutralRequest<O>, edits: RequestEdits): WrittenRequest;
  /** Reads figures and endings from the reply's bytes; runs on both paths. */
  openMeter(): ReplyMeter;
  /** Fails: upstream-malformed. */
  readReply(body: Buffer): Result<NeutralReply<O>, RelayError>;
  openReplyReader?(): ReplyReader;
}

export type Wire<O extends Operation> = FrontWire<O> & BackWire<O>;

/** What a reply writer may need beside the reply itself. */
export interface ReplyContext {
  readonly callId: string;
  readonly createdAtSeconds: number;
  readonly model: string;
  /** The caller asked for the usage frame. */
  readonly wantsStreamUsage: boolean;
}

/** Vendor frames → neutral events. Pure and stateful; one per reply. */
export interface ReplyReader {
  /** Events of one frame's data; an unreadable frame gives none. */
  read(data: string): readonly StreamEvent[];
  /** Events still due when the stream ended. */
  finish(): readonly StreamEvent[];
}

/** Neutral events → frames of the caller's wire. One per reply. */
export interface ReplyWriter {
  /** Bytes to send for an event; empty = nothing. */
  write(event: StreamEvent): string;
  /** What marks a clean end, usage frame included. */
  end(): string;
}
