import { JsonCursor } from '../framing/json-cursor.js';
import type { Usage } from '../model/usage.js';
import type { Route } from '../ports/channel-picker.js';

/** What a report is held against: what we asked and what came back. */
export interface Traffic {
  /** The request's body as the caller wrote it: the same whether it was passed on or translated. */
  readonly requestBody: Buffer;
  readonly route: Pick<Route, 'settings' | 'paramOverride'>;
  /** Bytes of the reply's body. */
  readonly receivedBytes: number;
  /** Largest output of one answer of the models in question, when the price table knows it. */
  readonly modelOutputCap: number | undefined;
  /** Answers the request asked for when it left. */
  readonly choices: number;
}

/** Vendors frame prompts, add instructions of their own and paste search results: tokens no byte of ours stands for. */
const UNSEEN_INPUT_TOKENS = 16_384;
const TOKENS_PER_TOOL = 4_096;
const TOKENS_PER_IMAGE = 65_536;
const TOKENS_PER_AUDIO = 131_072;
/** A file or a film named by its address may fill a whole context. */
const TOKENS_PER_FILE = 1_048_576;

/** Members whose value stands for more than its bytes. Several names may mean one thing; each counts by itself. */
const ALLOWANCES: ReadonlyMap<string, number> = new Map([
  ['image_url', TOKENS_PER_IMAGE],
  ['image', TOKENS_PER_IMAGE],
  // Pictures, but documents too.
  ['source', TOKENS_PER_FILE],
  ['input_audio', TOKENS_PER_AUDIO],
  ['audio_url', TOKENS_PER_AUDIO],
  ['file', TOKENS_PER_FILE],
  ['file_id', TOKENS_PER_FILE],
  ['file_url', TOKENS_PER_FILE],
  ['file_data', TOKENS_PER_FILE],
  ['fileData', TOKENS_PER_FILE],
  ['mcp_servers', TOKENS_PER_FILE],
  ['container', TOKENS_PER_FILE],
  ['video', TOKENS_PER_FILE],
  ['video_url', TOKENS_PER_FILE],
]);
const TOOL_LISTS: ReadonlySet<string> = new Set(['tools', 'functions']);
const LONGEST_NAME = 16;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/** No vocabulary writes a byte with more than one token; the rest is for what vendors count beside it. */
const TOKENS_PER_RECEIVED_BYTE = 4;
/** Reasoning that is not shown has no bytes. No model known today answers near this much. */
const UNKNOWN_MODEL_OUTPUT_TOKENS = 2_000_000;

/**
 * Whether a report may be true of this traffic (UP-01). The bounds are wide: they are there so that an upstream cannot
 * take an account with one sentence, not to check its arithmetic.
 */
export function isPlausible(usage: Usage, traffic: Traffic): boolean {
  return (
    isPlausibleOutput(usage.output.total ?? 0, traffic) && isPlausibleInput(usage.input.total ?? 0, traffic)
  );
}

function isPlausibleOutput(tokens: number, traffic: Traffic): boolean {
  if (tokens <= traffic.receivedBytes * TOKENS_PER_RECEIVED_BYTE) return true;
  return tokens <= (traffic.modelOutputCap ?? UNKNOWN_MODEL_OUTPUT_TOKENS) * traffic.choices;
}

function isPlausibleInput(tokens: number, traffic: Traffic): boolean {
  // True of nearly every call: nothing is read twice for it.
  let bound = traffic.requestBody.length + UNSEEN_INPUT_TOKENS;
  if (tokens <= bound) return true;
  const { settings, paramOverride } = traffic.route;
  bound += Buffer.byteLength(settings.systemPrompt ?? '');
  if (paramOverride !== undefined) {
    const written = Buffer.from(JSON.stringify(paramOverride));
    bound += written.length + allowanceIn(written);
  }
  return tokens <= bound + allowanceIn(traffic.requestBody);
}

const cursor = new JsonCursor();

/** Tokens that media and tools of a document may stand for beyond their bytes. */
function allowanceIn(document: Buffer): number {
  cursor.reset(document, 0, document.length);
  return allowanceOfValue();
}

function allowanceOfValue(): number {
  const first = cursor.peek();
  let tokens = 0;
  if (first === OPEN_OBJECT) {
    cursor.enterObject();
    while (cursor.nextMember()) {
      const name = cursor.keyEnd - cursor.keyStart > LONGEST_NAME ? '' : cursor.keyText();
      const allowance = ALLOWANCES.get(name);
      if (allowance !== undefined) {
        tokens += allowance;
        cursor.skipValue();
      } else if (TOOL_LISTS.has(name) && cursor.peek() === OPEN_ARRAY) {
        tokens += allowanceOfTools();
      } else tokens += allowanceOfValue();
    }
  } else if (first === OPEN_ARRAY) {
    cursor.enterArray();
    while (cursor.nextElement()) tokens += allowanceOfValue();
  } else cursor.skipValue();
  return tokens;
}

function allowanceOfTools(): number {
  let tokens = 0;
  cursor.enterArray();
  while (cursor.nextElement()) {
    tokens += TOKENS_PER_TOOL;
    if (cursor.peek() !== OPEN_OBJECT) {
      if (!cursor.skipValue()) break;
    } else if (isRunByVendor()) tokens += TOKENS_PER_FILE;
  }
  return tokens;
}

const TYPE = Buffer.from('type');
const CALLERS_OWN: ReadonlySet<string> = new Set(['"function"', '"custom"', 'null']);

/** A tool the vendor runs itself goes round and round inside one call, each time with everything before it as input. */
function isRunByVendor(): boolean {
  let isIt = false;
  cursor.enterObject();
  while (cursor.nextMember()) {
    const isType = cursor.keyIs(TYPE);
    cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue()) return false;
    if (isType)
      isIt = !CALLERS_OWN.has(cursor.bytes.toString('latin1', from, Math.min(cursor.at, from + 16)));
  }
  return isIt;
}
