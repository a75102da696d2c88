import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuditLogModule } from './audit-log.module.js';
import { AuditOriginInterceptor } from './audit-origin.interceptor.js';
import { AuditUpkeep } from './audit-upkeep.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [AuditLogModule],
  controllers: [AuditController],
  providers: [AuditService, AuditUpkeep, { provide: APP_INTERCEPTOR, useClass: AuditOriginInterceptor }],
  exports: [AuditUpkeep],
})
export class AuditModule {}
