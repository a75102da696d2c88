import { parentPort } from 'node:worker_threads';

/** Messages of the counting thread. Runs as a file of its own: it imports nothing of ours. */
interface CountQuestion {
  readonly id: number;
  readonly text: string;
  readonly encoding: 'o200k_base' | 'cl100k_base';
}

type Encoder = (text: string, options: { disallowedSpecial: Set<string> }) => number;

/**
 * Unbroken runs make the tokenizer quadratic (50,000 letters: seconds). Slices keep it linear; cut before a blank they change
 * nothing, and inside an unbroken run they can add a token each.
 */
const SLICE_CHARACTERS = 512;
const OPTIONS = { disallowedSpecial: new Set<string>() };
const encoders = new Map<CountQuestion['encoding'], Encoder>();

async function encoderFor(encoding: CountQuestion['encoding']): Promise<Encoder> {
  let encoder = encoders.get(encoding);
  if (encoder === undefined) {
    const library =
      encoding === 'o200k_base'
        ? await import('gpt-tokenizer/encoding/o200k_base')
        : await import('gpt-tokenizer/encoding/cl100k_base');
    encoder = library.countTokens as Encoder;
    encoders.set(encoding, encoder);
  }
  return encoder;
}

/** Prefers to cut before a blank, so that ordinary text is counted as if it had not been cut. */
function sliceEnd(text: string, from: number): number {
  const hardEnd = from + SLICE_CHARACTERS;
  if (hardEnd >= text.length) return text.length;
  const blank = text.lastIndexOf(' ', hardEnd);
  if (blank > from) return blank;
  // Not between the halves of a surrogate pair.
  const code = text.charCodeAt(hardEnd - 1);
  return code >= 0xd800 && code <= 0xdbff ? hardEnd - 1 : hardEnd;
}

async function count({ text, encoding }: CountQuestion): Promise<number> {
  const encode = await encoderFor(encoding);
  let tokens = 0;
  for (let from = 0; from < text.length;) {
    const end = sliceEnd(text, from);
    tokens += encode(text.slice(from, end), OPTIONS);
    from = end;
  }
  return tokens;
}

parentPort?.on('message', (question: CountQuestion) => {
  count(question).then(
    (tokens) => parentPort?.postMessage({ id: question.id, tokens }),
    (error: unknown) => parentPort?.postMessage({ id: question.id, failure: String(error) }),
  );
});
