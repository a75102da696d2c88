import { SMALL_MEDIA_TOKENS } from '../model/report-bound.js';
import type { Usage } from '../model/usage.js';
import type { Estimate } from '../formats/contract/produced-text.js';
import { textOf, type Document } from '../formats/shared/fields/json-fields.js';
import { CountedText } from './counted-text.js';
import { imageTokens, type ItemSize, namesMore, toolTokens } from './item-size.js';
import type { SessionSettings } from './session-settings.js';
import { heardTokens, PCM_BYTES_PER_SECOND } from './sound-length.js';

/** Vendors frame what they read, and add instructions of their own: tokens no byte of the client stands for. */
const UNSEEN_INPUT_TOKENS = 16_384;
/** Most tokens a vendor may count for an image, and for what it reads elsewhere. */
const MOST_TOKENS_PER_IMAGE = 65_536;
const MOST_TOKENS_ELSEWHERE = 1_048_576;
/** Vendors count a second of sound as up to so many times our own tokens. */
const MOST_PER_HEARD_TOKEN = 2;

/** Input a report named: the conversation as far as the model had read it. */
export type NamedContext = Usage['input'];

/** Totals of a conversation at a moment. */
export interface ConversationMark {
  readonly text: number;
  readonly heardBytes: number;
  readonly images: number;
  readonly answers: number;
  readonly spoken: number;
}

const BEGINNING: ConversationMark = { text: 0, heardBytes: 0, images: 0, answers: 0, spoken: 0 };

/** Instructions and tools of a response, in tokens; undefined = those of the session. */
export interface OwnSetUp {
  readonly instructions: number | undefined;
  readonly tools: number | undefined;
}

const NOTHING_OWN = { images: 0, heardBytes: 0 };
const NO_SET_UP: OwnSetUp = { instructions: undefined, tools: undefined };

/**
 * The conversation of a session as the vendor has it, by our own count: every response reads it again. What a report named stands in
 * place of what was counted until then.
 */
export class Conversation {
  heardBytes = 0;
  private readonly text: CountedText;
  private images = 0;
  private answerTokens = 0;
  private spokenTokens = 0;
  private instructions = 0;
  private tools = 0;
  /** The client's last words on both, which the vendor may refuse. */
  private requested: { instructions: number; tools: number } = { instructions: 0, tools: 0 };
  private sentBytes = 0;
  /** The vendor reads more than is sent: a stored prompt, or what a tool it runs answers. */
  namesMore = false;
  private named: { readonly context: NamedContext; readonly at: ConversationMark } | undefined;

  constructor(
    private readonly estimate: Estimate,
    private readonly settings: SessionSettings,
  ) {
    this.text = new CountedText(estimate);
  }

  /** Adds an event whose words the model may read; sounds and images are counted apart. */
  addSent(bytes: number): void {
    this.sentBytes += bytes;
  }

  /** The client sets the session up: more to read counts at once, less when the vendor has confirmed it. */
  setUp(session: Document): void {
    const { instructions, tools } = this.setUpIn(session);
    this.requested = {
      instructions: instructions ?? this.requested.instructions,
      tools: tools ?? this.requested.tools,
    };
    this.instructions = Math.max(this.instructions, this.requested.instructions);
    this.tools = Math.max(this.tools, this.requested.tools);
  }

  /** The vendor names the set-up. It is read only where the client asked for less than counts now. */
  confirm({ instructions, tools }: Document): void {
    if (this.requested.instructions < this.instructions && typeof instructions === 'string')
      this.instructions = Math.min(this.instructions, this.estimate(instructions));
    if (this.requested.tools < this.tools && Array.isArray(tools))
      this.tools = Math.min(this.tools, toolTokens(tools, this.estimate));
  }

  /** Instructions and tools of a session or of a response. */
  setUpIn(holder: Document): OwnSetUp {
    this.namesMore ||= namesMore(holder);
    const { instructions, tools } = holder;
    return {
      instructions: typeof instructions === 'string' ? this.estimate(textOf(instructions) ?? '') : undefined,
      tools: tools === undefined ? undefined : toolTokens(tools, this.estimate),
    };
  }

  add({ texts, images }: ItemSize): void {
    if (texts.length > 0) this.text.appendText(texts.join(' '));
    this.images += images;
  }

  /** Adds an answer of the conversation: the next response reads it. */
  addAnswer({ total = 0, audio = 0 }: Usage['output']): void {
    this.answerTokens += total;
    this.spokenTokens += audio;
  }

  mark(): ConversationMark {
    return {
      text: this.text.tokens(),
      heardBytes: this.heardBytes,
      images: this.images,
      answers: this.answerTokens,
      spoken: this.spokenTokens,
    };
  }

  /** A report named what a response read that began at this mark. */
  name(context: NamedContext, at: ConversationMark): void {
    this.named = { context, at };
  }

  /** Input of a response that begins now. */
  reading(own: OwnSetUp = NO_SET_UP): Usage['input'] {
    const { named } = this;
    if (named === undefined) return sumInput({ total: this.setUpTokens(own) }, this.since(BEGINNING));
    const more = Math.max(0, this.setUpTokens(own) - this.setUpTokens(NO_SET_UP));
    return sumInput(named.context, this.since(named.at), more);
  }

  /** Input of a response that reads its own items in place of the conversation. */
  readingOf(own: OwnSetUp, items: ItemSize, heardBytes: number): Usage['input'] {
    const heard = heardTokens(heardBytes);
    const image = imageTokens(items.images);
    const text = items.texts.length === 0 ? 0 : this.estimate(items.texts.join(' '));
    const total = this.setUpTokens(own) + text + heard + image;
    return sumInput({ total }, { total: 0, audio: heard, image });
  }

  /** Everything so far, for a voice that does not answer in turns. */
  whole(): Usage['input'] {
    return this.since(BEGINNING);
  }

  /** Input that the last report named; undefined = none did. */
  get context(): NamedContext | undefined {
    return this.named?.context;
  }

  /**
   * Counts reported sound and images as text where the session has none.
   * @param own  what a response reads beside or in place of the conversation
   */
  believed(input: NamedContext, own = NOTHING_OWN): NamedContext {
    const { audio = 0, image = 0, ...rest } = input;
    const hasSound = this.heardBytes + own.heardBytes > 0 || this.spokenTokens > 0;
    const isSound = audio <= SMALL_MEDIA_TOKENS || this.namesMore || hasSound;
    const isImage = image <= SMALL_MEDIA_TOKENS || this.namesMore || this.images + own.images > 0;
    if (isSound && isImage) return input;
    return { ...rest, ...(isSound ? { audio } : {}), ...(isImage ? { image } : {}) };
  }

  /** Most input tokens that a vendor may truly report for one response: no number of the client lowers it. */
  most(images: number, heardBytes: number): number {
    const heard = heardTokens(this.heardBytes + heardBytes) * MOST_PER_HEARD_TOKEN;
    return (
      UNSEEN_INPUT_TOKENS +
      this.sentBytes +
      Math.ceil((heard * PCM_BYTES_PER_SECOND) / this.settings.slowestBytesPerSecond) +
      (this.images + images) * MOST_TOKENS_PER_IMAGE +
      this.answerTokens * MOST_PER_HEARD_TOKEN +
      (this.namesMore ? MOST_TOKENS_ELSEWHERE : 0)
    );
  }

  private setUpTokens({ instructions, tools }: OwnSetUp): number {
    return (instructions ?? this.instructions) + (tools ?? this.tools);
  }

  private since(mark: ConversationMark): Usage['input'] {
    const heard = heardTokens(this.heardBytes - mark.heardBytes);
    const image = imageTokens(this.images - mark.images);
    const text = this.text.tokens() - mark.text;
    const answers = this.answerTokens - mark.answers;
    const total = text + answers + heard + image;
    return { total, audio: heard + this.spokenTokens - mark.spoken, image };
  }
}

/** @param more  tokens of text beside both */
export function sumInput(one: NamedContext, other: NamedContext, more = 0): Usage['input'] {
  const image = (one.image ?? 0) + (other.image ?? 0);
  return {
    ...one,
    total: (one.total ?? 0) + (other.total ?? 0) + more,
    audio: (one.audio ?? 0) + (other.audio ?? 0),
    ...(image === 0 ? {} : { image }),
  };
}
