import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { STATUS_OF_KIND } from '../../server/relay-core/model/status-of-kind.js';
import { realtimeErrorEvent } from '../../server/relay-core/dialects/openai-realtime.js';
import { anthropic } from '../../server/relay-core/dialects/anthropic.js';
import type { Dialect } from '../../server/relay-core/dialects/dialect.js';
import { gemini } from '../../server/relay-core/dialects/gemini.js';
import { openai } from '../../server/relay-core/dialects/openai.js';
import { DIALECTS } from '../../server/relay-core/dialects/registry.js';
import type { RelayError } from '../../server/relay-core/model/relay-error.js';
import { presenterOf } from '../../server/gateway/relay/model-presenters.js';
import { documentsIn } from '../support/gather-streams.js';
import { faultsOf, PUBLISHED } from '../support/schemas/check-schema.js';
import {
  geminiErrorFaults,
  geminiModelFaults,
  geminiModelsFaults,
} from '../support/schemas/gemini-others.js';
import { list, object, text, type Json } from '../support/strict-vendors/story.js';

const CALL_ID = '01a2141a-ab05-7632-bfa3-db043512fb55';
/** In the table of failures, not yet in the OpenAPI document (https://docs.claude.com/en/api/errors, read 2026-11-25). */
const TOO_LARGE = 'request_too_large';

const anthropicFaults = (document: Json): readonly string[] => {
  const error = object(document['error']);
  const shown = error['type'] === TOO_LARGE ? { ...error, type: 'invalid_request_error' } : error;
  return faultsOf(PUBLISHED.anthropicOthers, 'ErrorResponse', { ...document, error: shown });
};

/** Faults of a failure document, by dialect. */
const FAILURES: readonly (readonly [Dialect, (document: Json, status: number) => readonly string[]])[] = [
  [openai, (document) => faultsOf(PUBLISHED.openaiOthers, 'ErrorResponse', document)],
  [anthropic, anthropicFaults],
  [gemini, geminiErrorFaults],
];

const word = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'invalid_request_error',
    'overloaded_error',
    'rate_limit_error',
    'INVALID_ARGUMENT',
    'NOT_FOUND',
    '',
    'DATA_LOSS',
    'ValidationException',
    'server_error',
    'context_length_exceeded',
    '400',
    'SOME_WORD',
  ),
);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const known = <T extends Json>(value: T): Json =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

/** Every kind of failure, with whatever may stand in it. */
const failures: fc.Arbitrary<RelayError> = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(STATUS_OF_KIND) as RelayError['kind'][])),
    message: fc.string(),
    param: optional(fc.string()),
    details: optional(fc.dictionary(fc.string(), fc.string())),
    retryAfterMs: fc.integer({ min: 0, max: 90_000 }),
    scope: fc.constantFrom('user', 'token'),
    isUnserved: optional(fc.constant(true)),
    upstreamStatus: optional(fc.integer({ min: 200, max: 599 })),
    isStatusMapped: optional(fc.constant(true)),
    vendorType: optional(word),
    vendorCode: optional(word),
    vendorParam: optional(word),
    isExhausted: optional(fc.constant(true)),
    reason: optional(
      fc.oneof(
        fc.record({ is: fc.constantFrom('too-long', 'overloaded', 'no-model') }),
        fc.record({ is: fc.constant('too-long'), used: fc.nat(), most: fc.nat() }),
      ),
    ),
  })
  .map(({ kind, message, ...more }) => {
    const upstream = known({
      upstreamStatus: more.upstreamStatus,
      isStatusMapped: more.isStatusMapped,
      vendorType: more.vendorType,
      vendorCode: more.vendorCode,
      vendorParam: more.vendorParam,
      reason: more.reason,
      isExhausted: more.isExhausted,
      retryAfterMs: more.retryAfterMs,
    });
    const own = known({ param: more.param, details: more.details, scope: more.scope });
    const rest = kind.startsWith('upstream')
      ? { blame: 'upstream', ...upstream }
      : { blame: 'caller', ...own };
    const known503 = kind === 'channel-unavailable' ? known({ isUnserved: more.isUnserved }) : {};
    const waits =
      kind === 'rate-limited' || kind === 'unavailable' ? { retryAfterMs: more.retryAfterMs } : {};
    return { kind, message, ...rest, ...known503, ...waits } as RelayError;
  });

describe('failures match the schema of their API’s vendor', () => {
  it.each(FAILURES.map(([dialect, faults]) => ({ id: dialect.id, dialect, faults })))(
    '$id',
    ({ dialect, faults }) => {
      fc.assert(
        fc.property(failures, (error) => {
          const { status, headers, body } = dialect.writeError(error, CALL_ID);
          const document = object(JSON.parse(body.toString('utf8')));
          expect(faults(document, status)).toEqual([]);
          expect(status >= 400 && status <= 599).toBe(true);
          expect(headers['content-length']).toBe(String(body.length));
          expect(headers['retry-after'] ?? '1').toMatch(/^[1-9]\d*$/);
          const frames = documentsIn(dialect.writeErrorFrame(error, CALL_ID));
          expect(frames.map((frame) => faults(object(frame), status))).toEqual([[]]);
        }),
        { numRuns: 500, seed: 27 },
      );
    },
  );

  it('writes them as events of a live session', () => {
    fc.assert(
      fc.property(failures, (error) => {
        const event = object(JSON.parse(realtimeErrorEvent(error, CALL_ID)));
        expect(faultsOf(PUBLISHED.openaiOthers, 'RealtimeServerEventError', event)).toEqual([]);
      }),
      { numRuns: 500, seed: 27 },
    );
  });
});

/** Faults of one model and of a page of them, by dialect. */
const MODELS: Readonly<
  Record<string, readonly [one: (model: Json) => readonly string[], page: (page: Json) => readonly string[]]>
> = {
  openai: [
    (model) => faultsOf(PUBLISHED.openaiOthers, 'Model', model),
    (page) => faultsOf(PUBLISHED.openaiOthers, 'ListModelsResponse', page),
  ],
  anthropic: [
    (model) => faultsOf(PUBLISHED.anthropicOthers, 'ModelInfo', model),
    (page) => faultsOf(PUBLISHED.anthropicOthers, 'ListResponse_ModelInfo_', page),
  ],
  gemini: [geminiModelFaults, geminiModelsFaults],
};
const query = fc.dictionary(
  fc.constantFrom('limit', 'after_id', 'before_id', 'pageSize', 'pageToken'),
  fc.oneof(fc.string(), fc.nat(60).map(String)),
);
const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 40 });

describe('lists of models match the schema of their API’s vendor', () => {
  it.each(DIALECTS.filter(({ id }) => MODELS[id] !== undefined))('$id', (dialect) => {
    const [oneFaults, pageFaults] = MODELS[dialect.id] ?? [];
    const presenter = presenterOf(dialect);
    fc.assert(
      fc.property(names, query, (models, asked) => {
        const page = object(presenter.list(models, new URLSearchParams(asked)));
        expect(pageFaults?.(page)).toEqual([]);
        const shown = list(page['data'] ?? page['models']).map((one) => text(one['id'] ?? one['name']));
        expect(models).toEqual(expect.arrayContaining(shown.map((name) => name.replace(/^models\//, ''))));
        for (const model of models) expect(oneFaults?.(object(presenter.one(model)))).toEqual([]);
      }),
      { numRuns: 100, seed: 27 },
    );
    expect(Object.keys(MODELS)).toHaveLength(3);
  });
});
