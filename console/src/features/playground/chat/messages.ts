/** Failure of a call: the sentence for the reader, and the event or refusal as it came. */
export interface Failure {
  /** HTTP status; 0 = the server was not reached, 200 = the stream broke off. */
  readonly status: number;
  /** Machine-readable reason; empty = none given. */
  readonly code: string;
  readonly message: string;
  readonly data: string;
}

/** One call of the gateway. An answer that used tools took several. */
export interface AnswerCall {
  /** Empty until the response headers arrived. */
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Until the first text, reasoning or tool call; absent = none came. */
  readonly firstMs?: number;
  readonly totalMs?: number;
}

export interface MessageFacts {
  readonly model?: string;
  readonly calls?: readonly AnswerCall[];
  readonly failure?: Failure;
  /** Absent = the answer is complete or still arriving. */
  readonly ending?: 'stopped' | 'interrupted' | 'length' | 'filtered';
  /** The reader's vote in a comparison. */
  readonly isBest?: boolean;
}

export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  /** A data address; only imported conversations can have another, which is never fetched. */
  readonly url: string;
  readonly filename?: string;
}

/** A function the model wants called. */
export interface ToolPart {
  readonly type: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Arguments; a text when the model wrote no JSON. */
  readonly input: unknown;
  /** Absent = the reader has not entered it yet. */
  readonly output?: unknown;
}

export type MessagePart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | FilePart
  | ToolPart
  /** Beginning of one call. */
  | { readonly type: 'step' };

export interface ChatMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
  readonly metadata?: MessageFacts;
}

/** Text of a message without reasoning, files and tools. */
export const textOf = ({ parts }: ChatMessage): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');

export const reasoningOf = ({ parts }: ChatMessage): string =>
  parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n\n');

/** True once anything arrived that a reader can see. */
export const hasContent = ({ parts }: ChatMessage): boolean =>
  parts.some((part) =>
    part.type === 'text' || part.type === 'reasoning' ? part.text !== '' : part.type !== 'step',
  );

export const textMessage = (id: string, role: 'user' | 'assistant', text: string): ChatMessage => ({
  id,
  role,
  parts: [{ type: 'text', text }],
});

/** Appends a piece; text continues the part before it when that is of the same kind. */
export function withPiece(parts: readonly MessagePart[], piece: MessagePart): readonly MessagePart[] {
  const last = parts.at(-1);
  if (!isText(piece) || last === undefined || !isText(last) || last.type !== piece.type)
    return [...parts, piece];
  return [...parts.slice(0, -1), { type: last.type, text: last.text + piece.text }];
}

export const isText = (part: MessagePart): part is Extract<MessagePart, { type: 'text' | 'reasoning' }> =>
  part.type === 'text' || part.type === 'reasoning';

/** True when the last call ended with functions and every one of them has its result. */
export function hasAllResults({ parts }: ChatMessage): boolean {
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step') + 1);
  const tools = step.filter((part) => part.type === 'tool');
  return tools.length > 0 && tools.every(({ output }) => output !== undefined);
}
