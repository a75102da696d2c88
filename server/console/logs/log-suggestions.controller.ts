import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { FailedCalls } from '../../base/logs/failed-calls.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  failedCallsSchema,
  type FailedCallsView,
  type LogSuggestionsQuery,
  logSuggestionsQuerySchema,
  logSuggestionsSchema,
  type LogSuggestionsView,
} from './dto/log-suggestions.dto.js';
import { LogSuggestions } from './log-suggestions.js';

/** Most failed calls of one answer. */
const MOST_FAILURES = 8;

/** Names for the filters of the usage log and failed calls, found by a part of them. */
@ApiTags('logs')
@Controller('api/log')
export class LogSuggestionsController {
  constructor(
    private readonly suggestions: LogSuggestions,
    private readonly failed: FailedCalls,
  ) {}

  /** Models, tokens, accounts and channels of the installation. */
  @Get('suggestions')
  @Access('admin')
  @ApiEnvelope(logSuggestionsSchema)
  async all(
    @Query({ schema: logSuggestionsQuerySchema }) query: LogSuggestionsQuery,
  ): Promise<LogSuggestionsView> {
    return this.suggestions.all(query.keyword);
  }

  /** Failed calls whose error contains a text, newest first. */
  @Get('failures')
  @Access('admin')
  @ApiEnvelope(failedCallsSchema)
  async failures(
    @Query({ schema: logSuggestionsQuerySchema }) query: LogSuggestionsQuery,
  ): Promise<FailedCallsView> {
    if (query.keyword === '') return [];
    const calls = await this.failed.containing(query.keyword, MOST_FAILURES);
    return calls.map(({ requestId, model, content }) => ({
      request_id: requestId,
      model_name: model,
      content,
    }));
  }

  /** The caller's own tokens, and models the caller may use. */
  @Get('self/suggestions')
  @Access('user')
  @ApiEnvelope(logSuggestionsSchema)
  async own(
    @CurrentActor() actor: Actor,
    @Query({ schema: logSuggestionsQuerySchema }) query: LogSuggestionsQuery,
  ): Promise<LogSuggestionsView> {
    return this.suggestions.own(actor, query.keyword);
  }
}
