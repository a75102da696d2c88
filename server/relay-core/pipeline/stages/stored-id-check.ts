import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ChannelSettings } from '../../ports/channel-picker.js';
import type { IdLedger } from '../../ports/id-ledger.js';
import type { HandedOutId } from '../../formats/contract/reply-meter.js';
import type { FrontCall } from '../context/call-types.js';
import {
  idsLeaving,
  MOST_STORED_IDS,
  type StoredId,
  storedIdsIn,
  type StoredKind,
} from '../reply/stored-ids.js';

/**
 * What one call may name of the things its vendor keeps. They are kept for the operator's account there, which all callers share: so
 * only what was handed out to the account that asks is passed on, unless the operator allows others for the channel
 * (`allow_foreign_ids`).
 */
export class StoredIdCheck {
  private readonly named: readonly StoredId[];
  private foreign: ReadonlySet<string> | undefined;

  constructor(
    private readonly ledger: IdLedger,
    private readonly userId: number,
    private readonly front: FrontCall<Operation>,
  ) {
    this.named = storedIdsIn(front.parsed.document, front.wire.id);
  }

  /** @returns undefined when the request names nothing that has to be looked up */
  refusal(
    body: Buffer | undefined,
    { vendor }: ChannelSettings,
  ): Promise<RelayError | undefined> | undefined {
    if (body === undefined || this.named.length === 0 || vendor?.['allow_foreign_ids'] === true)
      return undefined;
    if (this.named.length > MOST_STORED_IDS) return Promise.resolve(TOO_MANY);
    const leaving = idsLeaving(this.named, body);
    return leaving.length === 0 ? undefined : this.ask(leaving);
  }

  private async ask(leaving: readonly StoredId[]): Promise<RelayError | undefined> {
    try {
      this.foreign ??= await this.ledger.foreignTo(
        this.userId,
        this.named.map(({ id }) => id),
      );
    } catch (cause) {
      return { ...NOBODY_KNOWS, cause };
    }
    const found = leaving.find(({ id }) => this.foreign?.has(id));
    return found && notFound(found, this.front.wire.id);
  }
}

const STORE_OFF = Buffer.from('"store":false');
const DIAGNOSTICS = Buffer.from('"diagnostics"');

/**
 * Writes down those of the ids in an answer by which a later request can name something: the caller may do so as soon as it has the end.
 * @param body  the request as it left
 * @returns undefined when there are none
 */
export function recordIds(
  ledger: IdLedger | undefined,
  userId: number,
  handedOut: readonly HandedOutId[] | undefined,
  body: Buffer | undefined,
): Promise<void> | undefined {
  if (ledger === undefined || handedOut === undefined) return undefined;
  const isStored = body?.includes(STORE_OFF) !== true;
  const isDiagnosed = body?.includes(DIAGNOSTICS) === true;
  const ids = handedOut
    .filter(({ kept }) => kept === 'always' || (kept === 'stored' ? isStored : isDiagnosed))
    .map(({ id }) => id);
  return ids.length === 0 ? undefined : ledger.record(userId, ids);
}

const TOO_MANY: RelayError = {
  kind: 'invalid-request',
  blame: 'caller',
  message: `At most ${MOST_STORED_IDS} stored files, items and the like can be named in one request.`,
};
const NOBODY_KNOWS: RelayError = {
  kind: 'unavailable',
  blame: 'gateway',
  message: 'What this request names cannot be looked up at the moment; please try again later.',
  retryAfterMs: 5_000,
};

const NOUNS: Readonly<Record<StoredKind, string>> = {
  response: 'Previous response',
  conversation: 'Conversation',
  item: 'Item',
  container: 'Container',
  file: 'File',
  'vector-store': 'Vector store',
  cache: 'CachedContent',
  prompt: 'Prompt',
  skill: 'Skill',
  voice: 'Voice',
  audio: 'Audio',
  message: 'Message',
  tunnel: 'Tunnel',
  corpus: 'Corpus',
};
const MOST_SHOWN = 128;

/** In the words of the caller's API: what is another's is what is not there. */
function notFound({ kind, id, param }: StoredId, wire: string): RelayError {
  const noun = NOUNS[kind];
  const shown = id.length > MOST_SHOWN ? `${id.slice(0, MOST_SHOWN)}…` : id;
  if (wire.startsWith('gemini-') || wire === 'imagen-predict')
    return {
      kind: 'not-found',
      blame: 'caller',
      message: `${noun} ${shown} not found (or permission denied).`,
    };
  if (wire === 'anthropic-messages')
    return { kind: 'not-found', blame: 'caller', message: `${noun} not found: ${shown}` };
  const message = `${noun} with id '${shown}' not found.`;
  // OpenAI answers this one with 400 and a code, by which programs know to send the whole conversation.
  return kind === 'response'
    ? { kind: 'invalid-request', blame: 'caller', message, param, code: 'previous_response_not_found' }
    : { kind: 'not-found', blame: 'caller', message, param };
}
