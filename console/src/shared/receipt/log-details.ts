import { parseJson } from '../format/json';
import { figure, listOf, membersOf, oneOf, positive, text } from '../format/members';
import type { Schemas } from '../../api/schemas';

type LogLine = Readonly<Schemas['LogLine']>;

/** Event of a line that is not a call: a code and its facts. Amounts are whole quota. */
const readEvent = membersOf({
  code: text,
  redemption_id: figure,
  /** Amount paid, as a decimal number. */
  paid: text,
  currency: text,
  method: text,
  account_id: figure,
  channel_id: figure,
  operator: text,
  channel_ids: listOf(figure),
  copy_id: figure,
  members: listOf(text),
  tag: text,
  count: figure,
  status: figure,
  /** The balance moved by this. */
  quota: figure,
  quota_after: figure,
  reason: text,
  platform: text,
  task_id: text,
  side: oneOf(['before', 'after']),
  version_id: figure,
  revision: figure,
  /** Seconds. */
  before: figure,
});
export type LogEvent = NonNullable<ReturnType<typeof readEvent>> & { readonly code: string };

function eventOf(value: unknown): LogEvent | undefined {
  const event = readEvent(value);
  return event?.code === undefined ? undefined : { ...event, code: event.code };
}

const readWarning = membersOf({ setting: text, reason: text });

/** A warning names each omitted member and the reason. */
function warningOf(value: unknown): { readonly setting: string; readonly reason: string } | undefined {
  const { setting, reason } = readWarning(value) ?? {};
  return setting === undefined || reason === undefined ? undefined : { setting, reason };
}

const yesOrNo = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

const readAttempt = membersOf({
  channel_id: figure,
  started_at_ms: figure,
  ended_at_ms: figure,
  failure: text,
  upstream_status: figure,
});
export type LoggedAttempt = NonNullable<ReturnType<typeof readAttempt>>;

const readRefusal = membersOf({ code: text });

const readDispatch = membersOf({
  use_channel: listOf(text),
  attempts: listOf(readAttempt),
  /** The provider's own status and sentence. */
  upstream_error: text,
});

/** Members of a line's `other` document that this console shows; anything odd is left out. */
const readDetails = membersOf({
  /** Milliseconds to the first streamed piece. */
  frt: positive,
  /** Duration of the whole call. */
  duration_ms: positive,
  upstream_model_name: text,
  /** The channel has the caller's API. */
  native: yesOrNo,
  /** Prices of the call; the price per call is -1 when tokens were counted. */
  model_ratio: figure,
  completion_ratio: figure,
  group_ratio: figure,
  /** Account group the factor was agreed for, and the models it holds for. */
  user_group: text,
  user_group_model: text,
  model_price: figure,
  request_path: text,
  outcome: text,
  evidence: text,
  cache_tokens: figure,
  status_code: figure,
  error_code: text,
  /** Code of a refusal of the gateway. */
  refusal: readRefusal,
  /** `caller`, `gateway`, else the vendor's own word. */
  error_type: text,
  /** Settings of the request that were not passed on to the upstream. */
  warnings: listOf(warningOf),
  /** Event of a line that is not a call. */
  event: eventOf,
  admin_info: (value: unknown) => {
    const dispatch = readDispatch(value);
    return dispatch === undefined ? undefined : { ...dispatch, use_channel: dispatch.use_channel ?? [] };
  },
});
export type LogDetails = Partial<NonNullable<ReturnType<typeof readDetails>>>;

export function detailsOf(line: Pick<LogLine, 'other'>): LogDetails {
  return readDetails(parseJson(line.other)) ?? {};
}
