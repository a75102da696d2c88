import type { Operation } from '../../model/operation.js';
import type { ClientCall } from '../context/call-types.js';
import type { RelayPorts } from '../context/relay-ports.js';
import { refusal, requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ChannelPicker, RequiredAccount, Route, VendorAccount } from '../../ports/channel-picker.js';
import type { IdLedger } from '../../ports/id-ledger.js';
import type { IssuedId } from '../../formats/contract/reply-meter.js';
import {
  idsLeaving,
  MAX_STORED_IDS,
  type StoredId,
  storedIdsIn,
  type StoredKind,
} from '../reply/stored-ids.js';

interface CheckPorts {
  readonly ids: IdLedger;
  readonly channels: Pick<ChannelPicker, 'isOn'>;
}

/**
 * Checks the ids of vendor-stored things in one call, or in one event of a session. All callers share the operator's account at the
 * vendor: an id is passed on only for the account it was issued to, and only to the place that stores it, unless the operator
 * allows others for the channel (`allow_foreign_ids`).
 */
export class StoredIdCheck {
  private places: ReadonlyMap<string, RequiredAccount | undefined> = new Map();
  private fault: { readonly cause: unknown } | undefined;
  private wanted: RequiredAccount | undefined;

  /** @param format  grammar of the caller, in whose words it is refused */
  constructor(
    private readonly ports: CheckPorts,
    private readonly userId: number,
    private readonly named: readonly StoredId[],
    private readonly apiFormat: string,
  ) {}

  /** @returns undefined when the request names nothing, as nearly every one does */
  static of(
    { ids, channels }: Pick<RelayPorts, 'ids' | 'channels'>,
    userId: number,
    { parsed, apiFormat }: ClientCall<Operation>,
  ): StoredIdCheck | undefined {
    if (ids === undefined) return undefined;
    const named = storedIdsIn(parsed.document, apiFormat.id);
    return named.length === 0 ? undefined : new StoredIdCheck({ ids, channels }, userId, named, apiFormat.id);
  }

  /** Place the call must go to: before the first attempt by all named ids, then by those that were sent. Undefined = anywhere. */
  get place(): RequiredAccount | undefined {
    return this.wanted;
  }

  /** Await it before any other method. Never rejects. @returns undefined when there is nothing to look up */
  lookUp(): Promise<void> | undefined {
    const { named, userId } = this;
    if (named.length === 0 || named.length > MAX_STORED_IDS) return undefined;
    return this.ports.ids
      .findPlaces(
        userId,
        named.map(({ id }) => id),
      )
      .then(
        (places) => {
          this.places = places;
          this.wanted = this.placeOf(named);
        },
        (cause: unknown) => {
          this.fault = { cause };
        },
      );
  }

  /** @returns undefined when everything the body names may leave by the route */
  refusal(body: Buffer | undefined, route: Route): RelayError | undefined {
    const { named, places, fault } = this;
    if (named.length === 0) return undefined;
    const { vendor } = route.settings;
    const isOpen = (one: StoredId): boolean =>
      one.kind === 'address' && vendor?.['allow_stored_files'] === true;
    const leaving = body === undefined ? [] : idsLeaving(named, body).filter((one) => !isOpen(one));
    this.wanted = this.placeOf(leaving);
    if (leaving.length === 0 || vendor?.['allow_foreign_ids'] === true) return undefined;
    if (named.length > MAX_STORED_IDS) return TOO_MANY;
    if (fault !== undefined) return { ...UNKNOWN_ID, ...fault };
    const foreign = leaving.find(({ id }) => !places.has(id));
    if (foreign !== undefined)
      return notFound(foreign, this.apiFormat, foreign.kind === 'address' ? VENDORS_OWN : '');
    const elsewhere = leaving.find(({ id }) => places.get(id)?.isAt(route) === false);
    if (elsewhere === undefined) return undefined;
    const isThere = this.ports.channels.isOn(places.get(elsewhere.id) as RequiredAccount);
    return isThere ? notFound(elsewhere, this.apiFormat, OTHER_ACCOUNT) : LEDGER_UNAVAILABLE;
  }

  private placeOf(ids: readonly StoredId[]): RequiredAccount | undefined {
    for (const { id } of ids) {
      const place = this.places.get(id);
      if (place !== undefined) return place;
    }
    return undefined;
  }
}

const STORE_OFF = Buffer.from('"store":false');
/** Members by which a Messages request asks the vendor to keep the message, and that a later one names it in. */
const MESSAGE_KEEPERS = ['diagnostics', 'thread'].map((name) => Buffer.from(`"${name}"`));

/**
 * Writes down those of the ids in an answer by which a later request can name something: the caller may do so as soon as it has the end.
 * @param sent  the request as it left, and by which route
 * @returns undefined when there are none
 */
export function recordIds(
  ledger: IdLedger | undefined,
  userId: number,
  handedOut: readonly IssuedId[] | undefined,
  sent: {
    readonly body: Buffer | undefined;
    readonly route: VendorAccount;
    /** Tokens the vendor read for the answer. */
    readonly inputTokens?: number | undefined;
  },
): Promise<void> | undefined {
  const { body, route, inputTokens } = sent;
  if (ledger === undefined || handedOut === undefined) return undefined;
  const isStored = (): boolean => body?.includes(STORE_OFF) !== true;
  const isAsked = (): boolean => MESSAGE_KEEPERS.some((keeper) => body?.includes(keeper) === true);
  const ids = handedOut
    .filter(({ kept }) => kept === 'always' || (kept === 'stored' ? isStored() : isAsked()))
    .map(({ id }) => id);
  return ids.length === 0 ? undefined : ledger.record(userId, ids, route, inputTokens);
}

const CONVERSATIONS: ReadonlySet<StoredKind> = new Set(['response', 'conversation']);

/** Tokens the vendor last read of the conversation that a request goes on with; 0 = it names none, or nothing is known of it. */
export async function keptTokensOf(
  ledger: IdLedger | undefined,
  userId: number,
  { parsed, apiFormat }: ClientCall<Operation>,
): Promise<number> {
  if (ledger === undefined) return 0;
  const named = storedIdsIn(parsed.document, apiFormat.id).filter(({ kind }) => CONVERSATIONS.has(kind));
  if (named.length === 0 || named.length > MAX_STORED_IDS) return 0;
  // An estimate must not cost the call its settlement.
  return ledger
    .findInput(
      userId,
      named.map(({ id }) => id),
    )
    .catch(() => 0);
}

const TOO_MANY: RelayError = requestRefusal(
  `At most ${MAX_STORED_IDS} stored files, items and the like can be named in one request.`,
);
const UNKNOWN_ID: RelayError = {
  ...refusal('stored-unreadable'),
  retryAfterMs: 5_000,
};

const LEDGER_UNAVAILABLE: RelayError = {
  ...refusal('stored-away'),
  retryAfterMs: 5_000,
};
/** An address that only the upstream opens, and with the operator's rights. */
const VENDORS_OWN = ' for callers: send its bytes in base64, or an address of the web';
/** It is the caller's own, and there. */
const OTHER_ACCOUNT = ' where this request goes: it is kept with another upstream account';

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
  address: 'File',
};
const MAX_SHOWN = 128;

/** In the words of the caller's API: what is another's is what is not there. */
function notFound({ kind, id, param }: StoredId, apiFormat: string, where = ''): RelayError {
  const noun = NOUNS[kind];
  const shown = id.length > MAX_SHOWN ? `${id.slice(0, MAX_SHOWN)}…` : id;
  if (apiFormat.startsWith('gemini-') || apiFormat === 'imagen-predict')
    return refusal('stored-unknown-gemini', {
      noun,
      id: shown,
      where: where === '' ? ' (or permission denied)' : where,
    });
  if (apiFormat === 'anthropic-messages') {
    const unknown = refusal('stored-unknown-anthropic', { noun, id: shown, where });
    // The vendor's own code, by which its SDKs know to send the whole conversation.
    return kind === 'message' ? { ...unknown, details: { error_code: 'thread_not_found' } } : unknown;
  }
  const unknown = refusal('stored-unknown-openai', { noun, id: shown, where });
  // OpenAI answers this one with 400 and a code, by which programs know to send the whole conversation.
  return kind === 'response'
    ? { ...unknown, kind: 'invalid-request', param, code: 'previous_response_not_found' }
    : { ...unknown, param };
}
