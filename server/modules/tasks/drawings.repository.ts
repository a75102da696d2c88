import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PersonalRecords } from '../accounts/personal-records.js';
import { DrawingEntity } from './drawing.entity.js';
import { TaskRows } from './task-rows.js';

/** `midjourneys`; times are milliseconds. */
@Injectable()
export class DrawingsRepository extends TaskRows<DrawingEntity> {
  constructor(@InjectDataSource() dataSource: DataSource, personal: PersonalRecords) {
    super(dataSource, DrawingEntity, 'mjId');
    // What somebody had drawn or sung is personal; what it cost stays in the books.
    personal.register(DrawingEntity);
  }
}
