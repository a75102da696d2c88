import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { SignInRecords } from './sign-in-records.js';

/** The audit log without its routes, for modules that record. */
@Module({ providers: [AuditLog, SignInRecords], exports: [AuditLog, SignInRecords] })
export class AuditLogModule {}
