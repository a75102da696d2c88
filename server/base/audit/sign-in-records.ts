import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { parseJson } from '../../common/parse-json.js';
import { AuditEventEntity } from './audit-event.entity.js';

/** An attempt to sign in to an account. */
export interface SignInRecord {
  readonly atMs: number;
  readonly isSuccess: boolean;
  readonly ip: string;
  /** Method, such as `password`; empty = not known. */
  readonly way: string;
}

/** Sign-ins of one account, read from the audit log. */
@Injectable()
export class SignInRecords {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The newest first. */
  async of(userId: number, limit: number): Promise<readonly SignInRecord[]> {
    const rows = await this.dataSource.getRepository(AuditEventEntity).find({
      where: {
        targetType: 'user',
        targetId: String(userId),
        action: In(['login.success', 'login.fail']),
      },
      order: { sequence: 'DESC' },
      take: limit,
    });
    return rows.map(({ createdAtMs, action, ip, detail }) => ({
      atMs: createdAtMs,
      isSuccess: action === 'login.success',
      ip,
      way: wayIn(detail),
    }));
  }
}

function wayIn(detail: string): string {
  const document = parseJson(detail);
  const way =
    typeof document === 'object' && document !== null && 'way' in document ? document.way : undefined;
  return typeof way === 'string' ? way : '';
}
