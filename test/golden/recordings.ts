import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One upstream reply as it came over the wire. */
export interface Recording {
  readonly name: string;
  readonly operation: 'chat' | 'embed';
  readonly isStream: boolean;
  readonly bytes: Buffer;
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
