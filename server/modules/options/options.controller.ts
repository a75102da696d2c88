import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/http/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/http/envelope.js';
import { Access } from '../auth/decorators/access.js';
import { type Actor, CurrentActor } from '../auth/decorators/current-actor.js';
import { LOG_TYPE } from '../logs/log.codes.js';
import { LogWriter } from '../logs/log-writer.js';
import {
  type OptionChangeView,
  optionChangeSchema,
  optionSchema,
  type OptionUpdate,
  optionUpdateSchema,
} from './dto/option.dto.js';
import { optionRow } from './option-catalogue.js';
import { OptionsRepository } from './options.repository.js';
import { type OptionInput, OptionsService } from './options.service.js';

const HISTORY_LENGTH = 100;

/** Options, for root alone. */
@ApiTags('options')
@Controller('api/option')
export class OptionsController {
  constructor(
    private readonly options: OptionsService,
    private readonly repository: OptionsRepository,
    private readonly logs: LogWriter,
  ) {}

  @Get()
  @Access('root')
  @ApiEnvelope(z.array(optionSchema))
  list(): z.infer<typeof optionSchema>[] {
    return this.options
      .list()
      .map(({ key, value, isSet }) => ({ key, value, ...(isSet === undefined ? {} : { is_set: isSet }) }));
  }

  @Put()
  @Access('root')
  @ApiEnvelope()
  async update(
    @CurrentActor() actor: Actor,
    @Body({ schema: optionUpdateSchema }) input: OptionUpdate,
  ): Promise<void> {
    await this.store(actor, Array.isArray(input) ? input : [input]);
  }

  /** The model ratios of the program instead of the stored ones; the other price options stay (OPT-14). */
  @Post('rest_model_ratio')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope()
  async resetModelRatio(@CurrentActor() actor: Actor): Promise<EnvelopeReply> {
    const row = optionRow('ModelRatio');
    await this.store(actor, [{ key: 'ModelRatio', value: row.format(row.fallback) }]);
    return new EnvelopeReply(
      undefined,
      'Model ratios were reset; the other price options were left as they are',
    );
  }

  @Get('history')
  @Access('root')
  @ApiEnvelope(z.array(optionChangeSchema))
  async history(): Promise<OptionChangeView[]> {
    const changes = await this.repository.history(HISTORY_LENGTH);
    return changes.map((change) => ({
      revision: change.revision,
      key: change.key,
      old_value: change.oldValue,
      new_value: change.newValue,
      actor_id: change.actorId,
      changed_at: Math.floor(change.changedAtMs / 1000),
    }));
  }

  private async store(actor: Actor, changes: readonly OptionInput[]): Promise<void> {
    const changed = await this.options.update(actor, changes);
    if (changed.length === 0) return;
    // Keys only: a value may be a secret, and is in the history when it is not (OPT-9).
    await this.logs.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: `Administrator ${actor.username} (id ${actor.id}) changed options: ${changed.join(', ')}`,
      other: { admin_info: { operator_id: actor.id, operator: actor.username } },
    });
  }
}
