import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';

/** The audit log without its routes: whoever records imports this. */
@Module({ providers: [AuditLog], exports: [AuditLog] })
export class AuditLogModule {}
