import { Injectable } from '@nestjs/common';
import type { AuditVerb } from '../../../base/audit/audit-actions.js';
import { AuditLog } from '../../../base/audit/audit-log.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { LOG_TYPE } from '../../../base/logs/log.codes.js';
import { LogWriter } from '../../../base/logs/log-writer.js';
import type { ChangedColumns } from './changed-columns.js';

/**
 * One log line of type 3 and one row of the audit log for every administrative change of channels: what and to which; a
 * value never in the line, in the row only when it is no secret.
 */
@Injectable()
export class ChannelAudit {
  constructor(
    private readonly writer: LogWriter,
    private readonly audit: AuditLog,
  ) {}

  async note(
    actor: Actor,
    action: `channel.${AuditVerb<'channel'>}`,
    text: string,
    details: Readonly<Record<string, unknown>> = {},
    changes?: ChangedColumns,
  ): Promise<void> {
    const { channel_id: id, channel_ids: ids, ...rest } = details;
    const listed = Array.isArray(ids) ? ids.filter((each) => typeof each === 'number') : [];
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action,
      targetType: 'channel',
      targetId: typeof id === 'number' ? id : listed.length === 1 ? (listed[0] ?? '') : '',
      detail: {
        text,
        ...(listed.length > 1 ? { channel_ids: listed } : {}),
        ...(typeof rest['copy_id'] === 'number' ? { copy_id: rest['copy_id'] } : {}),
        ...(changes === undefined ? {} : { changes }),
      },
    });
    await this.writer.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: text,
      event: {
        code: action,
        operator: actor.username,
        operator_id: actor.id,
        ...(typeof id === 'number'
          ? { channel_ids: [id] }
          : listed.length === 0
            ? {}
            : { channel_ids: listed }),
        ...factsOf(rest),
      },
      other: { admin_info: { action, ...details } },
    });
  }
}

/** Details that every reader of the line may see. */
function factsOf({
  copy_id: copyId,
  members,
  tag,
  count,
  changed,
  status,
}: Readonly<Record<string, unknown>>) {
  const many = count ?? changed;
  return {
    ...(typeof copyId === 'number' ? { copy_id: copyId } : {}),
    ...(Array.isArray(members) ? { members: members.filter((each) => typeof each === 'string') } : {}),
    ...(typeof tag === 'string' && tag !== '' ? { tag } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof many === 'number' ? { count: many } : {}),
  };
}
