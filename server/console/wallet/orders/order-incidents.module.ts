import { Module } from '@nestjs/common';
import { OrderIncidents } from './order-incidents.js';

/** Order incidents, for monitoring. */
@Module({ providers: [OrderIncidents], exports: [OrderIncidents] })
export class OrderIncidentsModule {}
