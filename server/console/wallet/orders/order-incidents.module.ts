import { Module } from '@nestjs/common';
import { OrderIncidents } from './order-incidents.js';

/** What those who watch ask about orders. */
@Module({ providers: [OrderIncidents], exports: [OrderIncidents] })
export class OrderIncidentsModule {}
