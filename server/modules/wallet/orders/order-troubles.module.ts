import { Module } from '@nestjs/common';
import { OrderTroubles } from './order-troubles.js';

/** What those who watch ask about orders. */
@Module({ providers: [OrderTroubles], exports: [OrderTroubles] })
export class OrderTroublesModule {}
