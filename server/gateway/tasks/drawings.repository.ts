import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PersonalDataTables } from '../../base/users/personal-data-tables.js';
import { DrawingEntity } from './drawing.entity.js';
import { TaskRows } from './task-rows.js';

/** `midjourneys`; times are milliseconds. */
@Injectable()
export class DrawingsRepository extends TaskRows<DrawingEntity> {
  constructor(
    @InjectRepository(DrawingEntity) rows: Repository<DrawingEntity>,
    personal: PersonalDataTables,
  ) {
    super(rows, 'mjId');
    // Drawings and songs of a user are personal; their cost stays in the books.
    personal.register(DrawingEntity);
  }
}
