import type { IncomingHttpHeaders } from 'node:http';
import { bedrockGrammar } from './bedrock.js';
import { chatGrammar } from './chat.js';
import { cohereTurns } from './cohere.js';
import { geminiGrammar } from './gemini.js';
import { messagesGrammar } from './messages.js';
import { responsesGrammar } from './responses.js';
import { object, Refusal, type Json, type Story } from './story.js';
import type { StrictGrammar } from './strict-grammar.js';

const FOREIGN: Story = {
  stepAt: (index) => ({ index, thought: '', text: '', calls: [] }),
  openRound: () => 0,
  isHidden: () => false,
  checkHistory: () => undefined,
  knowsThought: () => true,
  isForeign: true,
};

/** Rules of a grammar for requests. */
type Rules = Pick<StrictGrammar, 'refusal'> & {
  readonly understand: (...asked: Parameters<StrictGrammar['understand']>) => unknown;
};

const cohereRules: Rules = { understand: cohereTurns, refusal: (message) => ({ message }) };

/** Made on demand: the grammars load the code that sends their requests, and that loads this. */
const grammars = (): readonly (readonly [path: RegExp, grammar: Rules])[] => [
  // Baidu's first interface has such an address too, and a grammar of its own.
  [/(?<!\/wenxinworkshop)\/chat\/completions$/, chatGrammar(true)],
  [/\/responses$/, responsesGrammar],
  [/\/v1\/messages$/, messagesGrammar],
  [/:(g|streamG)enerateContent$/, geminiGrammar],
  [/\/model\/[^/]+\/converse(-stream)?$/, bedrockGrammar],
  [/\/model\/[^/]*anthropic\.claude[^/]*\/invoke(-with-response-stream)?$/, bedrockGrammar],
  [/\/v2\/chat$/, cohereRules],
];

/** Refusal of a request by the vendor that serves a path. */
export interface VendorRefusal {
  readonly message: string;
  readonly body: Json;
}

/** Checks a request by the rules of its vendor; undefined = the vendor would answer, or its rules are unknown. */
export function refusalOf(
  path: string,
  body: Json,
  headers: IncomingHttpHeaders = {},
): VendorRefusal | undefined {
  const [plain = ''] = path.split('?');
  const grammar = grammars().find(([pattern]) => pattern.test(plain))?.[1];
  if (grammar === undefined) return undefined;
  try {
    grammar.understand(body, { method: 'POST', path: plain, headers, body: Buffer.alloc(0) }, FOREIGN);
    return undefined;
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    return { message: fault.message, body: grammar.refusal(fault.message) };
  }
}

/** Checks the requests of one mock and keeps what its vendor would have refused. */
export class RequestChecker {
  private readonly refusals = new Set<string>();

  /** @param isLenient  takes everything, for tests of requests that are deliberately wrong */
  constructor(private readonly isLenient = false) {}

  refusalOf(path: string, body: Json, headers: IncomingHttpHeaders): VendorRefusal | undefined {
    const refusal = this.isLenient ? undefined : refusalOf(path, body, headers);
    if (refusal !== undefined) this.refusals.add(`${path}: ${refusal.message}`);
    return refusal;
  }

  /** Same as `refusalOf`, for a body that may be no JSON. */
  refusalOfBytes(path: string, bytes: Buffer, headers: IncomingHttpHeaders): VendorRefusal | undefined {
    const isJson = /json/.test(headers['content-type'] ?? '');
    return isJson ? this.refusalOf(path, object(JSON.parse(bytes.toString('utf8'))), headers) : undefined;
  }

  /** Fails: when a request came that its vendor would have refused. */
  expectNone(): void {
    if (this.refusals.size > 0)
      throw new Error(`the vendor would have refused: ${[...this.refusals].join('; ')}`);
  }
}
