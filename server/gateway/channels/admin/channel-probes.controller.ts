import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DomainError } from '../../../common/errors/domain-error.js';
import { CallerLanguage } from '../../../common/api/caller-language.js';
import type { Language } from '../../../common/language.js';
import { operatorReasonIn } from '../../../base/logs/operator-reasons.js';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../../common/envelope.js';
import type { Result } from '../../../common/result.js';
import { pathId } from '../../../common/query.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import { Access } from '../../../base/access/access.js';
import { ChannelBalanceService } from '../jobs/channel-balance.service.js';
import { ChannelCheck } from './channel-check.js';
import { ChannelProbe } from '../probing/channel-probe.service.js';
import { ChannelJobsService, type ChannelJob, CHANNEL_JOBS } from '../jobs/channel-jobs.service.js';
import { proxyOf } from '../state/channel-documents.js';
import { checkKey, isJsonKey } from '../state/channel-rules.js';
import { probeEndpointOf } from '../probing/probe-endpoints.js';
import { PROBE_ENDPOINTS } from '../state/probe-kinds.js';
import type { ProbeResult } from '../probing/probe-call.js';
import { ChannelTestsService } from '../jobs/channel-tests.service.js';
import {
  channelJobQuerySchema,
  channelTestQuerySchema,
  type FetchModels,
  fetchModelsSchema,
  type JobProgressView,
  jobProgressSchema,
} from './dto/channel.dto.js';

const channelJobSchema = z.enum(Object.keys(CHANNEL_JOBS) as [ChannelJob, ...ChannelJob[]]);

const testMembers = {
  time: z.number().meta({ description: 'seconds, also of a failed test' }),
  first_token_ms: z.int().nullable(),
  model: z.string(),
  endpoint: z.string().meta({ description: 'how it was asked: chat, responses, embeddings, …' }),
  error_code: z.string().meta({ description: 'kind of failure; empty = none' }),
  answer: z.string().meta({ description: 'beginning of what the model said' }),
};

/** Tests of upstreams, their model lists and balances. */
@ApiTags('channels')
@Controller('api/channel')
export class ChannelProbesController {
  constructor(
    private readonly tests: ChannelTestsService,
    private readonly balances: ChannelBalanceService,
    private readonly jobs: ChannelJobsService,
    private readonly probe: ChannelProbe,
    private readonly check: ChannelCheck,
  ) {}

  /**
   * Starts a test of every channel that is not switched off by hand; answers at once. Channels that draw images are tested with
   * `confirm_cost=true` only.
   */
  @Get('test')
  @Access('admin')
  @ApiEnvelope()
  async testAll(@Query({ schema: channelJobQuerySchema }) query: { confirm_cost: boolean }): Promise<void> {
    await this.jobs.testAll('scheduled_all', query.confirm_cost);
  }

  /**
   * Sends one small call through one channel. A failed test is `success: false` with its time. A test that draws an image is
   * refused (`channel_test_costs`) without `confirm_cost=true`.
   */
  @Get('test/:id')
  @Access('admin')
  @ApiEnvelope(undefined, testMembers)
  async testOne(
    @Param('id', { schema: pathId() }) id: number,
    @Query({ schema: channelTestQuerySchema })
    query: { model: string; stream: boolean; endpoint_type: string; confirm_cost: boolean },
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    const { model, stream, endpoint_type: wanted, confirm_cost: mayCost } = query;
    const endpoint = wanted === '' ? undefined : probeEndpointOf(wanted);
    if (wanted !== '' && endpoint === undefined)
      throw new DomainError('invalid_input', {
        field: 'endpoint_type',
        problem: ` (must be one of ${PROBE_ENDPOINTS.join(', ')})`,
      });
    const result = await this.tests.testOnRequest(id, { model, stream, endpoint }, mayCost);
    const members = {
      time: result.timeMs / 1000,
      first_token_ms: result.firstTokenMs ?? null,
      model: result.model,
      endpoint: result.endpoint ?? '',
      error_code: errorCodeOf(result),
      answer: result.text,
    };
    const message = operatorReasonIn(language, result.message);
    return new EnvelopeReply(undefined, message, members, {}, result.success);
  }

  /** Starts reading the balances of all enabled channels; answers at once. */
  @Get('update_balance')
  @Access('admin')
  @ApiEnvelope()
  async refreshBalances(): Promise<void> {
    await this.jobs.refreshBalances();
  }

  /** Balance at the provider, in US dollars. */
  @Get('update_balance/:id')
  @Access('admin')
  @ApiEnvelope(undefined, { balance: z.number() })
  async refreshBalance(@Param('id', { schema: pathId() }) id: number): Promise<EnvelopeReply> {
    return new EnvelopeReply(undefined, '', { balance: await this.balances.refresh(id) });
  }

  /** Progress of the running, or the last, test or balance job. */
  @Get('job/:name')
  @Access('admin')
  @ApiEnvelope(jobProgressSchema)
  async progress(@Param('name', { schema: channelJobSchema }) name: ChannelJob): Promise<JobProgressView> {
    const { startedAt, endedAt, running, done, total, failed } = await this.jobs.progressOf(name);
    return { running, done, total, failed, started_at: startedAt, ended_at: endedAt };
  }

  /** Model ids a stored channel offers. */
  @Get('fetch_models/:id')
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  async fetchModels(
    @Param('id', { schema: pathId() }) id: number,
    @CallerLanguage() language: Language,
  ): Promise<readonly string[]> {
    return listOrRefuse(await this.probe.fetchModels(id), language);
  }

  /** Model ids of a channel that is being typed, by the rules for addresses that a stored one is held to. */
  @Post('fetch_models')
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  async fetchModelsOf(
    @Body({ schema: fetchModelsSchema }) body: FetchModels,
    @CallerLanguage() language: Language,
  ): Promise<readonly string[]> {
    const typed = {
      type: body.type,
      base_url: body.base_url ?? '',
      other: body.other ?? '',
      setting:
        body.proxy === undefined || body.proxy === null || body.proxy === '' ? '' : { proxy: body.proxy },
    };
    const { type = body.type, baseUrl = '', other = '', setting = '' } = await this.check.fields(typed);
    return listOrRefuse(
      await this.probe.fetchModelsOf({ type, baseUrl, other, key: keyOf(body), proxy: proxyOf(setting) }),
      language,
    );
  }
}

/** The first of the keys that were pasted, as saving would take it. Fails: channel_key_invalid. */
function keyOf({ key, type }: FetchModels): string {
  const text = key.trim();
  const isJson = isJsonKey(text, type);
  return text === '' ? '' : checkKey(isJson ? text : (text.split(/[\r\n]/, 1)[0] ?? ''), isJson, type);
}

const errorCodeOf = ({ success, error }: ProbeResult): string => {
  if (success) return '';
  const vendorCode = error?.blame === 'upstream' ? error.vendorCode : undefined;
  return vendorCode ?? error?.kind ?? 'failed';
};

function listOrRefuse(result: Result<readonly string[], RelayError>, language: Language): readonly string[] {
  if (result.ok) return result.value;
  if (result.error.kind === 'not-found') throw new DomainError('not_found');
  throw new DomainError('models_fetch_failed', { reason: operatorReasonIn(language, result.error.message) });
}
