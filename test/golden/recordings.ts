import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFolder } from '../replay/read-folder.mjs';
import { onTheWire } from '../replay/replay-upstream.mjs';

/** One upstream reply as it came over the wire. */
export interface Recording {
  readonly name: string;
  readonly operation: 'chat' | 'embed';
  readonly isStream: boolean;
  readonly bytes: Buffer;
  /** Dialect and vendor; absent = the chat format on both sides. */
  readonly sides?: Sides;
}

/** A dialect's address, and a vendor with its format. */
export interface Sides {
  readonly dialect: 'openai' | 'anthropic' | 'gemini';
  readonly path: string;
  readonly channelType: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const OWN = join(import.meta.dirname, 'recorded');
/** Answers of real providers, present on some machines only; what they show is kept in our own recordings. */
const SHARED = join(import.meta.dirname, '../../../shared/fixtures');
const SHARED_FOLDERS = [
  'openai/chat',
  'openai/embedding',
  'openai-compatible/chat',
  'deepseek/chat',
  'groq',
  'mistral',
  'moonshotai',
  'xai',
  'perplexity',
];

/** Our own recordings: small, one per thing vendors do. */
export function ownRecordings(): readonly Recording[] {
  return readdirSync(OWN).map((file) => ({
    name: file,
    operation: file.startsWith('embed') ? 'embed' : 'chat',
    isStream: file.endsWith('.sse'),
    bytes: readFileSync(join(OWN, file)),
  }));
}

/** Recordings of real providers, where they are at hand. */
export function sharedRecordings(): readonly Recording[] {
  if (!existsSync(SHARED)) return [];
  return SHARED_FOLDERS.flatMap((folder) =>
    readdirSync(join(SHARED, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => read(folder, name)),
  );
}

function read(folder: string, file: string): Recording {
  const bytes = readFileSync(join(SHARED, folder, file));
  const isLines = file.endsWith('.chunks.txt');
  return {
    name: `${folder}/${file}`,
    operation: folder.endsWith('embedding') ? 'embed' : 'chat',
    isStream: isLines || file.endsWith('.sse'),
    bytes: isLines ? framed(bytes) : bytes,
  };
}

/** One event's JSON per line → the stream it was. */
function framed(lines: Buffer): Buffer {
  const events = lines
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return Buffer.from([...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join(''));
}

const words = 'hello there';
/** Folders of the replay's recordings in the format of one of our dialects, whole and streamed. */
const SPOKEN: Readonly<
  Record<string, (isStream: boolean) => { readonly framing: string; readonly sides: Sides }>
> = {
  anthropic: () => ({
    framing: 'sse-named',
    sides: {
      dialect: 'anthropic',
      path: '/v1/messages',
      channelType: 14,
      body: { max_tokens: 400, messages: [{ role: 'user', content: words }] },
    },
  }),
  google: (isStream) => ({
    framing: 'sse',
    sides: {
      dialect: 'gemini',
      channelType: 24,
      path: `/v1beta/models/:model(^.+)::${isStream ? 'streamGenerateContent' : 'generateContent'}`,
      body: { contents: [{ role: 'user', parts: [{ text: words }] }] },
    },
  }),
  'openai/responses': () => ({
    framing: 'sse-named',
    // A gateway with the dialect of its caller.
    sides: { dialect: 'openai', path: '/v1/responses', channelType: 59, body: { input: words } },
  }),
};

/** Our own recordings of the other formats that pass through. */
export function spokenRecordings(): readonly Recording[] {
  return readFolder(join(import.meta.dirname, '../replay/recordings')).flatMap((recording) => {
    const { name, vendor, api, form } = recording;
    const isStream = form !== 'whole';
    const known = SPOKEN[api === '' ? vendor : `${vendor}/${api}`]?.(isStream);
    if (known === undefined) return [];
    const { body } = onTheWire(recording, known.framing);
    return [
      {
        name: `${name}${isStream ? ', streamed' : ''}`,
        operation: 'chat' as const,
        isStream,
        bytes: body,
        sides: known.sides,
      },
    ];
  });
}
