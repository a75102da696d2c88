import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuditLogModule } from './audit-log.module.js';
import { AuditOriginInterceptor } from './audit-origin.interceptor.js';
import { AuditMaintenance } from './audit-maintenance.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [AuditLogModule],
  controllers: [AuditController],
  providers: [AuditService, AuditMaintenance, { provide: APP_INTERCEPTOR, useClass: AuditOriginInterceptor }],
  exports: [AuditMaintenance],
})
export class AuditModule {}
