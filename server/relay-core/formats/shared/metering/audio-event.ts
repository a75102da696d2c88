import { JsonCursor } from '../../../framing/json-cursor.js';

const QUOTE = 0x22;
const LETTER_N = 0x6e;
const DONE = Buffer.from('[DONE]');

/** Shared by all meters: an event is walked in one go. */
const cursor = new JsonCursor();

/** Content of an event of a stream of audio or of its transcript. Spans are bytes of the event. */
export interface AudioEvent {
  readonly type: string;
  /** The inside of the piece's string; empty = no piece came. */
  readonly pieceFrom: number;
  readonly pieceTo: number;
  /** The `usage` value; undefined = none. */
  readonly usage: { readonly from: number; readonly to: number } | undefined;
}

/**
 * Reads one event of OpenAI's speech or transcription streams.
 * @param pieceNames  members that hold the piece of sound or of text
 */
export function readAudioEvent(
  data: Buffer,
  start: number,
  end: number,
  pieceNames: readonly string[],
): AudioEvent | 'silent' | 'end' | 'malformed' {
  if (start === end) return 'silent';
  if (end - start === DONE.length && data.compare(DONE, 0, DONE.length, start, end) === 0) return 'end';
  cursor.reset(data, start, end);
  if (!cursor.enterObject()) return 'malformed';
  let type = '';
  let pieceFrom = 0;
  let pieceTo = 0;
  let hasError = false;
  let usage: AudioEvent['usage'];
  while (cursor.nextMember()) {
    const name = cursor.keyText();
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue()) return 'malformed';
    if (name === 'type' && first === QUOTE) type = data.toString('latin1', from + 1, cursor.at - 1);
    else if (first === QUOTE && pieceNames.includes(name)) {
      pieceFrom = from + 1;
      pieceTo = cursor.at - 1;
    } else if (name === 'usage') usage = { from, to: cursor.at };
    else if (name === 'error' && first !== LETTER_N) hasError = true;
  }
  if (!cursor.isAtEnd()) return 'malformed';
  return { type: hasError ? 'error' : type, pieceFrom, pieceTo, usage };
}
