import type { FailureReason } from '../../model/relay-error.js';

/** An upstream's report of a failure, from any place in its reply. */
export interface FailureDetails {
  readonly message: string | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
  /** A figure in the range of HTTP statuses, where vendors put one. */
  readonly status: number | undefined;
}

type Row = readonly [status: number, ...words: readonly string[]];

/**
 * Codes and types by which vendors call a failure, and the status they answer it with: where a failure comes inside a 200
 * there is nothing else to go by. Compared without case and punctuation; codes are looked at before types.
 * OpenAI https://platform.openai.com/docs/guides/error-codes, Anthropic https://docs.claude.com/en/api/errors, Google
 * https://cloud.google.com/apis/design/errors, Amazon https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 * (read 2026-11-25).
 */
const ROWS: readonly Row[] = [
  [
    400,
    'context_length_exceeded',
    'exceed_context_size_error',
    'invalid_prompt',
    'invalid_value',
    'bad_request',
    'invalid_request',
    'invalid_request_error',
    'invalid_request_invalid_args',
    'invalid_request_prompt',
    'invalid_model',
    'invalid_argument',
    'invalid_parameter',
    'invalid_parameter_error',
    'unknown_parameter',
    'missing_required_parameter',
    'unsupported_parameter',
    'unsupported_value',
    'unsupported_file',
    'previous_response_not_found',
    'string_above_max_length',
    'image_generation_user_error',
    'bad_request_error',
    'content_policy_violation',
    'content_filter',
    'moderation_blocked',
    'data_inspection_failed',
    'tool_use_failed',
    'json_validate_failed',
    'empty_image_file',
    'invalid_image',
    'invalid_image_format',
    'invalid_base64_image',
    'invalid_image_url',
    'image_too_large',
    'image_too_small',
    'image_parse_error',
    'invalid_image_mode',
    'image_content_policy_violation',
    'image_file_too_large',
    'unsupported_image_media_type',
    'failed_to_download_image',
    'image_file_not_found',
    'validation_exception',
    'failed_precondition',
    'out_of_range',
    'cyber_policy',
    'empty_string',
    'invalid_type',
    'validation_error',
  ],
  [
    401,
    'invalid_api_key',
    'authentication_error',
    'account_deactivated',
    'unauthenticated',
    'unauthorized',
    'invalid_authentication_error',
    'incorrect_api_key_error',
    'missing_api_key',
  ],
  [402, 'billing_error', 'insufficient_balance', 'payment_required', 'arrearage', 'account_overdue_error'],
  [
    403,
    'permission_error',
    'permission_denied',
    'permission_denied_error',
    'forbidden',
    'access_denied',
    'access_denied_exception',
    'expired_token_exception',
    'unrecognized_client_exception',
    'request_forbidden',
    'invalid_signature_exception',
    'unsupported_country_region_territory',
    'model_access_denied',
  ],
  [
    404,
    'model_not_found',
    'not_found',
    'not_found_error',
    'resource_not_found_exception',
    'deployment_not_found',
    'resource_not_found_error',
    'model_not_exist',
  ],
  [408, 'model_timeout_exception', 'request_timeout'],
  [409, 'conflict', 'aborted'],
  [413, 'request_too_large', 'payload_too_large'],
  [422, 'unprocessable_entity', 'unprocessable_entity_error'],
  [
    429,
    'rate_limit_exceeded',
    'rate_limit_error',
    'rate_limit_reached',
    'rate_limit_reached_error',
    'too_many_requests',
    'resource_exhausted',
    'throttling',
    'throttling_exception',
    'throttling_rate_quota',
    'rate_limited',
    'service_quota_exceeded_exception',
    'insufficient_quota',
    'insufficient_user_quota',
    'requests',
    'tokens',
    'exceeded_current_quota_error',
    'billing_not_active',
    'billing_hard_limit_reached',
    'limit_requests',
    'quota_exceeded',
    'engine_overloaded_error',
  ],
  [499, 'cancelled'],
  [
    500,
    'server_error',
    'api_error',
    'internal',
    'internal_error',
    'internal_server_error',
    'internal_server_exception',
    'unknown',
  ],
  [501, 'not_supported_error', 'unimplemented'],
  [502, 'model_error_exception', 'model_stream_error_exception', 'bad_gateway'],
  [
    503,
    'service_unavailable',
    'service_unavailable_error',
    'service_unavailable_exception',
    'unavailable',
    'server_is_overloaded',
    'slow_down',
    'model_not_ready_exception',
    'engine_overloaded',
    'model_overloaded',
  ],
  [504, 'timeout_error', 'deadline_exceeded', 'gateway_timeout', 'vector_store_timeout'],
  [529, 'overloaded_error'],
];

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap(([status, ...words]) => words.map((word) => [plain(word), status] as const)),
);

/**
 * Sentences of vendors that name no code. Those about keys are whole sentences: a vendor that quotes the prompt must not be
 * taken for one that refuses the key.
 */
const SENTENCES: readonly (readonly [RegExp, number])[] = [
  [/^(?:incorrect|invalid) (?:x-)?api[ -]?key(?: provided)?\b[^\n]{0,160}$/i, 401],
  [/^unauthorized\.?$/i, 401],
  [/^(?:rate limit|too many requests)/i, 429],
  [/\boverloaded\b/i, 503],
  [/\bmodel\b[^\n]{0,120}\b(?:not found|does not exist|not exist)\b|\bno such model\b/i, 404],
  [
    /\b(?:is|are) (?:invalid|not valid)\b|\b(?:isn[’']t|is not|not) supported\b|\bdoes(?:n[’']t| not) (?:support|match)\b/i,
    400,
  ],
  [/^(?:validation|invalid|malformed|missing|unsupported)\b/i, 400],
];

/** Vendors' sentences about a prompt that does not fit, with the figures they give. */
const TOO_LONG: readonly RegExp[] = [
  /prompt is too long(?:: (?<used>\d+) tokens > (?<most>\d+) maximum)?/i,
  /input token count \(?(?<used>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<most>\d+)\)?/i,
  /maximum context length is (?<most>\d+) tokens(?:[^\n]{0,80}?\b(?:resulted in|requested|contains?) (?:at least )?(?<used>\d+))?/i,
  /\((?<used>\d+) tokens\) exceeds the available context size \((?<most>\d+) tokens\)/i,
  /maximum prompt length is (?<most>\d+) but the request contains (?<used>\d+) tokens/i,
  /contains (?<used>\d+) tokens[^\n]{0,120}too large for model with (?<most>\d+) maximum context/i,
  /number of tokens in the prompt cannot exceed (?<most>\d+) - received (?<used>\d+)/i,
  /input length and `?max_tokens`? exceed context limit: (?<used>\d+) \+ \d+ > (?<most>\d+)/i,
  /input is too long for requested model|exceeds? the context window|exceeds the (?:model's )?(?:maximum )?context (?:length|size|window)/i,
];
const TOO_LONG_CODES: ReadonlySet<string> = new Set(['contextlengthexceeded', 'exceedcontextsizeerror']);
const OVERLOADED_CODES: ReadonlySet<string> = new Set(
  ['overloaded_error', 'server_is_overloaded', 'slow_down', 'model_overloaded', 'unavailable'].map(plain),
);
const UNKNOWN_MODEL_CODES: ReadonlySet<string> = new Set(
  ['model_not_found', 'model_not_exist', 'invalid_model', 'deployment_not_found'].map(plain),
);
const NO_MODEL = /\bmodel\b[^\n]{0,120}\b(?:not found|does not exist|is not found)\b|^model: \S+$/i;

/** The status a vendor would answer with; undefined = its report does not show it. */
export function statusOfFailure({ code, type, message, status }: FailureDetails): number | undefined {
  if (status !== undefined) return status;
  // The code names the timeout of a batch or an image; its type only names the party at fault.
  for (const word of [code, type]) {
    const found = word === undefined ? undefined : STATUS_OF_CODE.get(plain(word));
    if (found !== undefined) return found;
  }
  const text = message?.trim() ?? '';
  if (text === '') return undefined;
  if (TOO_LONG.some((sentence) => sentence.test(text))) return 400;
  return SENTENCES.find(([sentence]) => sentence.test(text))?.[1];
}

/** Reason of a failure in terms that clients look for; undefined = none they know. */
export function reasonOf(status: number, { code, type, message }: FailureDetails): FailureReason | undefined {
  const words = [code, type].map((word) => plain(word ?? ''));
  const text = message ?? '';
  if (status === 400 || status === 413 || status === 422 || (status === 500 && /context size/.test(text))) {
    for (const sentence of TOO_LONG) {
      const match = sentence.exec(text);
      if (match === null) continue;
      const { used, most } = match.groups ?? {};
      const figures =
        used === undefined || most === undefined ? {} : { used: Number(used), most: Number(most) };
      return { is: 'too-long', ...figures };
    }
    if (words.some((word) => TOO_LONG_CODES.has(word))) return { is: 'too-long' };
  }
  if (status === 503 || status === 529 || words.some((word) => status >= 500 && OVERLOADED_CODES.has(word)))
    return { is: 'overloaded' };
  const namesModel = words.some((word) => UNKNOWN_MODEL_CODES.has(word)) || NO_MODEL.test(text);
  return namesModel && (status === 400 || status === 404) ? { is: 'no-model' } : undefined;
}
