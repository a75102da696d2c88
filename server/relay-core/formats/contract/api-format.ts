import type { Result } from '../../../common/result.js';
import type { Framing } from '../../framing/framer.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import type { MultipartForm } from '../../framing/multipart.js';
import type { CallShape } from '../../model/call.js';
import type { ChatReply, ChatRequest } from '../../model/chat.js';
import type { ContentPart, MediaKind } from '../../model/content.js';
import type { EmbeddingReply, EmbeddingRequest } from '../../model/embedding.js';
import type { ImageReply, ImageRequest } from '../../model/image.js';
import type { Operation } from '../../model/operation.js';
import type { ModerationReply, ModerationRequest, RerankReply, RerankRequest } from '../../model/ranking.js';
import type { RelayError } from '../../model/relay-error.js';
import type {
  SpeechReply,
  SpeechRequest,
  TranscriptionReply,
  TranscriptionRequest,
} from '../../model/speech.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { SubmitReply, SubmitRequest } from '../../model/task.js';
import type { Usage } from '../../model/usage.js';
import type { Warning } from '../../model/warning.js';
import type { RepairFacts, ReplyMeter } from './reply-meter.js';
import type { ToolNameRule } from '../shared/fields/tool-names.js';
import type { FormatRoots } from '../shared/fields/tool-roots.js';

/** The neutral request and reply of each operation. */
export interface NeutralForms {
  readonly chat: { readonly request: ChatRequest; readonly reply: ChatReply };
  readonly embed: { readonly request: EmbeddingRequest; readonly reply: EmbeddingReply };
  readonly image: { readonly request: ImageRequest; readonly reply: ImageReply };
  readonly speak: { readonly request: SpeechRequest; readonly reply: SpeechReply };
  readonly transcribe: {
    readonly request: TranscriptionRequest;
    readonly reply: TranscriptionReply;
  };
  readonly moderate: { readonly request: ModerationRequest; readonly reply: ModerationReply };
  readonly rerank: { readonly request: RerankRequest; readonly reply: RerankReply };
  readonly submit: { readonly request: SubmitRequest; readonly reply: SubmitReply };
}
export type NeutralRequest<O extends Operation> = NeutralForms[O]['request'];
export type NeutralReply<O extends Operation> = NeutralForms[O]['reply'];

/** Parts of a request outside its body. */
export interface CallTarget {
  /** Model named by the address, decoded; undefined = the body names it. The body must agree with it. */
  readonly pathModel: string | undefined;
  /** Query string without its question mark; empty = none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A caller's request, understood as far as the stages need; translated only when a stage asks. */
export interface ParsedCall<O extends Operation> {
  readonly shape: CallShape;
  /** The caller's bytes with their top-level members found; never changed, because a retry starts from them again. */
  readonly document: ScannedObject;
  /** Type the caller's bytes must be sent on with; undefined = JSON. */
  readonly contentType?: string;
  /** The form, where the body is one; absent = it is JSON. */
  readonly form?: MultipartForm | undefined;
  /** Request headers that belong to this format (`anthropic-beta`, …): only providers of the same format may pass them on. */
  readonly vendorHeaders?: Readonly<Record<string, string>>;
  /** Query string that belongs to this format (`beta=true`), without its question mark; passed on like `vendorHeaders`. */
  readonly vendorQuery?: string;
  /** The neutral request, read once. Fails: invalid-request. */
  neutral(): Result<NeutralRequest<O>, RelayError>;
  /** Why only a vendor of this format can answer the call; undefined = it can be translated. Absent = always. */
  untranslatableReason?(): RelayError | undefined;
}

/** Settings of an upstream request that the gateway itself makes for every caller. */
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
  /** Cap for calls that name none, at vendors that need one; absent = the format's own. */
  readonly defaultOutputCap?: number;
  /** All models of the vendor take `temperature` or `top_p`, not both, whatever their names; absent = the name decides. */
  readonly takesOneSampling?: true;
  /** Mark the prefixes of a conversation that brings no marks of its own, where the vendor caches what is marked. */
  readonly marksPrefixes?: true;
}

export interface WrittenRequest {
  readonly body: Buffer;
  readonly warnings: readonly Warning[];
  /** Undefined = JSON. */
  readonly contentType?: string;
  /** The gateway marked prefixes: the vendor may write all of the prompt to its cache. */
  readonly writesCache?: true;
}

/** Outer form of a stream in the caller's format. */
export interface StreamStyle {
  readonly contentType: string;
  /** A sign of life between events; empty = the format has none. */
  readonly ping: string;
  /** Last frame of a stream that failed, where it depends on the style; `hasFrames`: others went out before it. */
  writeErrorFrame?(error: RelayError, callId: string, hasFrames: boolean): string;
}

/** The half of a format a dialect needs: requests in, replies out. */
export interface ClientFormat<O extends Operation> {
  readonly id: string;
  /** Mime type of a whole reply this format writes. */
  readonly replyType: string;
  /** Fails: invalid-request. */
  parseCall(body: Buffer, target: CallTarget): Result<ParsedCall<O>, RelayError>;
  /** @param call  the request: some replies repeat parts of it */
  writeReply(reply: NeutralReply<O>, context: ReplyContext, call: ParsedCall<O>): Buffer;
  /** Top-level member that lists what is embedded or ranked: a call may be sent in parts of it. Absent = the format has no such list. */
  readonly itemsMember?: string;
  /** Arguments of tools are texts here, which may hold any JSON; absent = they are objects. */
  readonly hasTextArguments?: true;
  /**
   * Type of a whole reply to this call, where it is not always `replyType`.
   * @param written  the reply, where it was written anew; absent = the vendor's own passes
   */
  replyTypeOf?(call: ParsedCall<O>, written?: Buffer): string;
  /**
   * Absent when the operation is never streamed.
   * @param call  the request: some streams repeat parts of it
   */
  openReplyWriter?(context: ReplyContext, call: ParsedCall<O>): ReplyWriter;
  /** A whole reply as the frames of a stream, for operations other than chat; absent = no whole reply can stand for one. */
  writeReplyAsStream?(reply: NeutralReply<O>, context: ReplyContext, call: ParsedCall<O>): string;
  /** End that a stream that passed untouched still needs; absent = nothing but the vendor's own end marker. */
  readonly streamTail?: StreamTail;
  /** A whole reply that passed untouched, with figures its vendor left out; absent = the format has none. */
  appendUsage?(body: Buffer, usage: Usage): Buffer;
  /**
   * A reply, or an event, of a compatible vendor that passes untouched otherwise, with values the API's own vendor could have written.
   * @param first  the stream's first event
   */
  repair?(json: string, facts: RepairFacts, first?: string): string;
  /** Returns true when a whole reply of the vendor has the requested form; false = it is written anew. Absent = always. */
  hasRequestedForm?(body: Buffer, call: ParsedCall<O>): boolean;
  /**
   * Thoughts that the caller did not request: `all` = neither thoughts nor signatures of calls are shown, `thoughts` = calls
   * show theirs. Absent = thoughts are always shown.
   */
  hides?(call: ParsedCall<O>): 'all' | 'thoughts' | undefined;
  /** Absent = an event stream with comment lines as pings. */
  streamStyleOf?(shape: CallShape): StreamStyle;
  /** Last frame of a stream that failed, where the dialect's own does not fit this format. */
  writeErrorFrame?(error: RelayError, callId: string): string;
}

/** The half of a format a provider needs: requests out, replies in. */
export interface UpstreamFormat<O extends Operation> {
  readonly id: string;
  /**
   * Pass-through: the caller's bytes with only what the gateway must change. Same format on both sides only.
   * @param warnings  repairs because of the vendor's refusals; absent = nothing is repaired
   */
  spliceRequest(call: ParsedCall<O>, edits: RequestEdits, warnings?: Warning[]): Buffer;
  writeRequest(request: NeutralRequest<O>, edits: RequestEdits): WrittenRequest;
  /**
   * Returns true when the history holds signatures that this API's vendor did not make, or lacks one of its own: such bytes do not pass, the neutral
   * model leaves out what the vendor would refuse. Absent = the format has no signatures.
   */
  holdsForeignSignatures?(bytes: Buffer, upstreamModel: string): boolean;
  /**
   * Returns `request` for bytes with a form that the model or its host refuses and the neutral model has another form for, `answer` where the
   * answer has to be written anew as well. Absent = never.
   */
  needsRewrite?(document: ScannedObject, upstreamModel: string): 'request' | 'answer' | undefined;
  /**
   * Returns true for a file of an earlier answer that its vendor takes in the turn of the assistant. Absent = it takes files from users and
   * tools alone.
   */
  keepsAnswersMedia?(part: ContentPart, upstreamModel: string): boolean;
  /** Why this format cannot ask it at all, without changing its meaning; undefined = it can. */
  refuseRequest?(request: NeutralRequest<O>): RelayError | undefined;
  /** Kinds of media that its requests carry as bytes only: what a caller gave by address is fetched. Absent = none. */
  readonly bytesOnly?: readonly MediaKind[];
  /** Place of the output cap of one answer in a body of this format, containers separated by dots; absent = none. */
  readonly capPlaces?: readonly string[];
  /** A call that names no cap gets one, on the byte path too: the vendor needs it. */
  readonly capsEveryCall?: true;
  /** Its vendors bind answers to objects only. */
  readonly responseFormatsAreObjects?: true;
  /** Roots its vendors take in the schemas of tools; absent = it has no tools. */
  readonly toolRoots?: FormatRoots;
  /** Names its vendors take for tools; absent = it has none, or takes any. Callers of the same API are passed on as they are. */
  readonly toolNames?: ToolNameRule;
  /** It has tools that take plain text; others get them as functions with one text argument. */
  readonly hasFreeformTools?: true;
  /** Framing of its streams; absent = `sse`. Streams pass untouched where the caller's are framed alike. */
  framingOf?(shape: CallShape): Framing;
  /** `bytes`: the reply is media, passed on as it comes and never read whole; absent = `document`. */
  readonly replyForm?: 'document' | 'bytes';
  /** Reads figures and endings from the reply's bytes; runs on both paths. */
  openMeter(call: ParsedCall<O>): ReplyMeter;
  /** Fails: upstream-malformed. */
  readReply(body: Buffer, call: ParsedCall<O>): Result<NeutralReply<O>, RelayError>;
  openReplyReader?(call: ParsedCall<O>): ReplyReader;
}

export type ApiFormat<O extends Operation> = ClientFormat<O> & UpstreamFormat<O>;

/**
 * The end of a stream whose frames are the vendor's own. It may add marks and figures, never content: an event that
 * repeats an answer would be a second one to its reader.
 */
export interface StreamTail {
  /** A finish reason is written where no frame has one: clients take an answer without it for a broken one. */
  readonly namesEnd?: true;
  /** The figures stand in the frame that ends the answer, so it waits for them. */
  readonly holdsLastFrames?: true;
  write(end: {
    readonly context: ReplyContext;
    readonly call: { readonly shape: CallShape };
    /** Frames of the answer's ending whose figures are not known: held back, or a copy of what went out. Empty = they are. */
    readonly lastFrames: string;
    /** The vendor's own end marker; empty = it gave none. */
    readonly endMarker: string;
    /** Usage to charge, where the vendor gave no figures; undefined = it did. */
    readonly usage: Usage | undefined;
    /** Finish reason that the vendor left out; undefined = it gave one. */
    readonly missingEnd: 'stop' | 'tool-calls' | undefined;
  }): string;
  /** End of a failed stream that refers to the frames before; absent = the format's or the dialect's error frame. */
  fail?(end: {
    readonly context: ReplyContext;
    readonly error: RelayError;
    /** Data of the first event that passed. */
    readonly first: string;
    /** Events that passed. */
    readonly events: number;
  }): string;
}

/** Facts that a reply writer may need beside the reply itself. */
export interface ReplyContext {
  readonly callId: string;
  readonly createdAtSeconds: number;
  readonly model: string;
  /** The caller asked for the usage frame. */
  readonly wantsStreamUsage: boolean;
  /** Account of the call. */
  readonly ownerId?: number;
  /** Prompt tokens by estimate, for formats that report them before the vendor does. */
  readonly promptTokens?: number;
}

/** Vendor frames → neutral events. Pure and stateful; one per reply. */
export interface ReplyReader {
  /**
   * Events of one frame's data; an unreadable frame gives none.
   * @param name  the frame's own name, from framings that have one beside the data (`aws-event-stream`); else empty
   */
  read(data: string, name: string): readonly StreamEvent[];
  /** Events still due when the stream ended. */
  finish(): readonly StreamEvent[];
}

/** Neutral events → frames of the caller's format. One per reply. */
export interface ReplyWriter {
  /** Bytes to send for an event; empty = nothing. */
  write(event: StreamEvent): string;
  /** Events that waited for a further event of the same vendor's frame; absent = nothing waits. */
  endFrame?(): string;
  /** Frames of a clean end, usage frame included. */
  end(): string;
  /** Frames of a failed end, where the format closes open pieces first; absent = the format's or the dialect's error frame. */
  fail?(error: RelayError): string;
  /** True = a piece came too late to be written: the answer would look whole without it, so the stream has to fail. */
  readonly hasLostPiece?: boolean;
}
