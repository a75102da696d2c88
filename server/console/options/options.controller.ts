import { Body, Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { type AdminActionEvent, administratorIn } from '../../base/logs/log-event.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { LogWriter } from '../../base/logs/log-writer.js';
import {
  lostBindingsSchema,
  type OptionChangeView,
  optionChangeSchema,
  optionFieldSchema,
  type OptionHistoryQuery,
  optionHistoryQuerySchema,
  type OptionRollback,
  optionRollbackSchema,
  optionSchema,
  type OptionUpdate,
  optionUpdateSchema,
  type OptionVersionRollback,
  optionVersionRollbackSchema,
} from './dto/option.dto.js';
import { presentOptionFields } from './option-fields.js';
import {
  isOptionKey,
  isSecret,
  type OptionKey,
  optionRow,
  isWithheld,
} from '../../base/options/option-catalogue.js';
import { OptionHistory, type RecordedChange } from '../../base/options/option-history.service.js';
import { IdentityIssuers, type LostBindings } from '../../base/users/identity-issuer.js';
import { type OptionInput, type OptionReason, OptionsService } from '../../base/options/options.service.js';

const HISTORY_LENGTH = 100;

/** Options: administrators read them, and change those of the sections that root granted them. */
@ApiTags('options')
@Controller('api/option')
export class OptionsController {
  constructor(
    private readonly options: OptionsService,
    private readonly history: OptionHistory,
    private readonly logs: LogWriter,
    private readonly issuers: IdentityIssuers,
  ) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(z.array(optionSchema))
  list(@CurrentActor() actor: Actor): z.infer<typeof optionSchema>[] {
    return this.options
      .list(actor.role)
      .map(({ key, value, isSet, needsLook, section, mayChange, choices }) => ({
        key,
        value,
        section,
        may_change: mayChange,
        ...(choices === undefined ? {} : { choices: [...choices] }),
        ...(isSet === undefined ? {} : { is_set: isSet }),
        ...(needsLook === undefined ? {} : { needs_look: needsLook }),
      }));
  }

  /** Form, bounds and place of every option, for a screen that edits them. */
  @Get('fields')
  @Access('admin')
  @ApiEnvelope(z.array(optionFieldSchema))
  fields(): z.infer<typeof optionFieldSchema>[] {
    return presentOptionFields();
  }

  /** Another address of a sign-in provider unbinds accounts: the answer counts them by provider. */
  @Put()
  @Access('admin')
  @ApiEnvelope(undefined, { lost_bindings: z.array(lostBindingsSchema).optional() })
  async update(
    @CurrentActor() actor: Actor,
    @Body({ schema: optionUpdateSchema }) input: OptionUpdate,
  ): Promise<EnvelopeReply> {
    const changes = 'changes' in input ? input.changes : Array.isArray(input) ? input : [input];
    const before = this.options.values();
    await this.store(actor, changes, 'changes' in input ? { note: input.note } : {});
    const lost = await this.issuers.lostSince(before);
    return lost.length === 0
      ? new EnvelopeReply(undefined)
      : new EnvelopeReply(undefined, sentenceOf(lost), { lost_bindings: lost });
  }

  /** The model ratios of the program instead of the stored ones; the other price options stay. */
  @Post('rest_model_ratio')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope()
  async resetModelRatio(@CurrentActor() actor: Actor): Promise<EnvelopeReply> {
    const row = optionRow('ModelRatio');
    await this.store(actor, [{ key: 'ModelRatio', value: row.format(row.fallback) }], { source: 'reset' });
    return new EnvelopeReply(
      undefined,
      'Model ratios were reset; the other price options were left as they are',
    );
  }

  /** Changes, newest first: who, when, what it was before and after. Values of secrets are not kept. */
  @Get('history')
  @Access('admin')
  @ApiEnvelope(z.array(optionChangeSchema))
  async changes(
    @CurrentActor() actor: Actor,
    @Query({ schema: optionHistoryQuerySchema }) query: OptionHistoryQuery,
  ): Promise<OptionChangeView[]> {
    const changes = await this.history.changes({
      key: query.key === '' ? undefined : query.key,
      before: query.before === 0 ? undefined : query.before,
      limit: query.size === 0 ? HISTORY_LENGTH : Math.min(query.size, HISTORY_LENGTH),
    });
    return changes.map((recorded) => presentChange(recorded, actor.role));
  }

  /** Takes one change of one option back (or forth again): checked and recorded like any change. */
  @Post('rollback')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  async rollBack(
    @CurrentActor() actor: Actor,
    @Body({ schema: optionRollbackSchema }) { revision, to, note }: OptionRollback,
  ): Promise<string[]> {
    const changed = await this.history.rollBackChange(actor, revision, to, note);
    await this.report(actor, changed, { side: to, revision });
    return [...changed];
  }

  /** Puts all options (but secrets) back to what they were right after a version: of every section, so it is root's. */
  @Post('rollback_version')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope(z.array(z.string()))
  async rollBackVersion(
    @CurrentActor() actor: Actor,
    @Body({ schema: optionVersionRollbackSchema }) { version_id: versionId, note }: OptionVersionRollback,
  ): Promise<string[]> {
    const changed = await this.history.rollBackTo(actor, versionId, note);
    await this.report(actor, changed, { side: 'after', version_id: versionId });
    return [...changed];
  }

  private async store(
    actor: Actor,
    changes: readonly OptionInput[],
    reason: OptionReason = {},
  ): Promise<readonly OptionKey[]> {
    const changed = await this.options.update(actor, changes, reason);
    await this.report(actor, changed);
    return changed;
  }

  private async report(
    actor: Actor,
    changed: readonly string[],
    back?: Pick<AdminActionEvent, 'side' | 'revision' | 'version_id'>,
  ): Promise<void> {
    if (changed.length === 0) return;
    // Keys only: a value may be a secret, and is in the history when it is not.
    await this.logs.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: `${administratorIn(actor.username, actor.id)} changed options${said(back)}: ${changed.join(', ')}`,
      event: {
        code: 'option.change',
        operator: actor.username,
        operator_id: actor.id,
        members: changed,
        ...back,
      },
      other: { admin_info: { operator_id: actor.id, operator: actor.username } },
    });
  }
}

function sentenceOf(lost: readonly LostBindings[]): string {
  const each = lost.map(({ provider, accounts }) => `${PROVIDER_FACTS[provider].label}: ${accounts}`);
  return `Accounts that have to bind their identity anew, since its issuer is another one: ${each.join(', ')}`;
}

/** Text of a rollback in the log. */
function said(back: Pick<AdminActionEvent, 'side' | 'revision' | 'version_id'> = {}): string {
  const { side, revision, version_id: version } = back;
  if (side === undefined) return '';
  return ` to what they were ${side} ${version === undefined ? `revision ${revision}` : `version ${version}`}`;
}

function presentChange({ change, version }: RecordedChange, role: number): OptionChangeView {
  const isVisible = !isOptionKey(change.key) || !isWithheld(role, change.key);
  return {
    revision: change.revision,
    key: change.key,
    old_value: isVisible ? change.oldValue : null,
    new_value: isVisible ? change.newValue : null,
    actor_id: change.actorId,
    actor: version?.actorName ?? '',
    changed_at: Math.floor(change.changedAtMs / 1000),
    version_id: change.versionId,
    source: version?.source ?? '',
    note: version?.note ?? '',
    can_roll_back: isOptionKey(change.key) && !isSecret(change.key),
  };
}
